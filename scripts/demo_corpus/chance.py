"""Random choices that are the same on every machine and Python version."""

MASK = (1 << 64) - 1


class DeadEnd(Exception):
    """No word or pattern fits here: the sentence begun is thrown away."""


class Chance:
    """A xorshift64* generator."""

    def __init__(self, seed):
        self.state = (seed * 0x9E3779B97F4A7C15 + 1) & MASK

    def number(self):
        """A number in [0, 1)."""
        x = self.state
        x ^= x >> 12
        x = (x ^ (x << 25)) & MASK
        x ^= x >> 27
        self.state = x
        return ((x * 0x2545F4914F6CDD1D & MASK) >> 11) / float(1 << 53)

    def pick(self, items, weights=None):
        """One of the items, by weight when weights are given."""
        if not items:
            raise DeadEnd("nothing to choose from")
        if weights is None:
            return items[int(self.number() * len(items))]
        point = self.number() * sum(weights)
        for item, weight in zip(items, weights):
            point -= weight
            if point < 0:
                return item
        return items[-1]

    def shuffle(self, items):
        """Shuffle a list in place."""
        for i in range(len(items) - 1, 0, -1):
            j = int(self.number() * (i + 1))
            items[i], items[j] = items[j], items[i]
