"""The generator of the demo corpus: reads data/demo/*.txt, writes sentence pairs."""
