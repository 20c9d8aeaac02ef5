#!/usr/bin/env python3
"""Fetches the pinned wheels of wheels.json and unpacks what the build needs of them.

A download goes to NAME.part and goes on from there when it was cut; a wheel counts only once its size and SHA-256
are right. The tree is unpacked beside its place and renamed; the stamp, written last, says which files it came from.
Needs Python 3.9 and pip (which finds the files: index, mirror, proxy and certificates are whatever pip is set up with).
"""

import argparse
import fcntl
import fnmatch
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

CHUNK = 1 << 20
TRIES = 6
STALL_SECONDS = 60


class SetupError(Exception):
    """One or two sentences for the person at the terminal."""


def say(text):
    print(text, flush=True)


def megabytes(count):
    return f"{count / 1e6:.0f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(CHUNK):
            digest.update(block)
    return digest.hexdigest()


def is_whole(path, wheel):
    return path.is_file() and path.stat().st_size == wheel["size"] and sha256_of(path) == wheel["sha256"]


def sync_file(path):
    with open(path, "rb") as file:
        os.fsync(file.fileno())


# --- where a wheel is -------------------------------------------------------------------------------------------------

def find_url(name, wheel):
    """Asks pip for a platform that no wheel is made for: it lists every file of the project and downloads nothing."""
    command = [sys.executable, "-m", "pip", "download", "-vvv", "--no-deps", "--only-binary=:all:", "--platform=none",
               "--disable-pip-version-check", "--dest", os.devnull, f"{name}=={wheel['version']}"]
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, errors="replace", check=False, env={**os.environ, "PIP_RETRIES": "2"})
    match = re.search(r"(?:https?|file)://[^\s#]*/" + re.escape(wheel["file"]), answer.stdout)
    return match.group(0) if match else None


# --- download ---------------------------------------------------------------------------------------------------------

class Progress:
    """A line that is rewritten on a terminal; elsewhere a line each fifth of what is large."""

    def __init__(self, label, done, total):
        self.label, self.total, self.start, self.begin = label, total, done, time.monotonic()
        self.on_terminal = sys.stdout.isatty()
        self.step = CHUNK if self.on_terminal else max(total // 5, 50 * CHUNK)
        self.next = done + self.step

    def show(self, done):
        if done < self.next and not (self.on_terminal and done == self.total):
            return
        self.next = done + self.step
        rate = (done - self.start) / max(time.monotonic() - self.begin, 1e-3)
        text = f"    {self.label}: {megabytes(done)} of {megabytes(self.total)}, {rate / 1e6:.1f} MB/s"
        if self.on_terminal:
            print(f"\r{text}\033[K", end="" if done < self.total else "\n", flush=True)
        else:
            say(text)


def open_from(url, offset):
    """The response and the offset its first byte has: a server that knows no ranges begins at 0."""
    request = urllib.request.Request(url, headers={"User-Agent": "nmt-setup"})
    if offset:
        request.add_header("Range", f"bytes={offset}-")
    response = urllib.request.urlopen(request, timeout=STALL_SECONDS)
    return response, (offset if offset and response.status == 206 else 0)


def receive(url, part, wheel, label):
    """One connection: appends to `part` until the server stops."""
    have = part.stat().st_size if part.exists() else 0
    if have >= wheel["size"]:
        return
    response, offset = open_from(url, have)
    with response, open(part, "ab") as file:
        file.truncate(offset)
        progress = Progress(label, offset, wheel["size"])
        while offset < wheel["size"]:
            block = response.read(min(CHUNK, wheel["size"] - offset))
            if not block:
                raise ConnectionError("the connection was closed early")
            file.write(block)
            offset += len(block)
            progress.show(offset)


def download(url, target, wheel, wait=time.sleep):
    """Fetches `url` into `target`, going on after a break. Raises SetupError when it can't be had."""
    part = target.with_name(target.name + ".part")
    restarted = False
    attempt = 0
    while True:
        before = part.stat().st_size if part.exists() else 0
        try:
            receive(url, part, wheel, target.name.split("-")[0])
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code not in (408, 429):
                raise SetupError(f"the server refused {target.name}: {error.code} {error.reason}") from error
            reason = f"{error.code} {error.reason}"
        except (OSError, urllib.error.URLError, ConnectionError) as error:
            if isinstance(error, OSError) and error.errno in (28, 122):  # ENOSPC, EDQUOT
                raise SetupError(f"the disk is full: {part}") from error
            reason = str(getattr(error, "reason", error)) or type(error).__name__
        else:
            if is_whole(part, wheel):
                sync_file(part)
                part.replace(target)
                return
            part.unlink()
            if restarted:
                raise SetupError(f"{target.name} as served is not the pinned file (its SHA-256 differs)")
            say(f"    {target.name} was damaged; fetching it anew")
            restarted = True
            continue
        now = part.stat().st_size if part.exists() else 0
        attempt = 0 if now > before else attempt + 1
        if attempt >= TRIES:
            raise SetupError(f"{target.name} could not be fetched: {reason}; what came so far is kept, and scripts/setup "
                             "goes on from there")
        if attempt:
            wait(min(2 ** attempt, 20))


def download_with_pip(name, wheel, downloads):
    """The slow way, without going on after a break: where pip's list held no address, or fetching failed. Gives the
    reason where pip fails."""
    tags = wheel["file"][:-len(".whl")].split("-")[2:]
    python = [f"--python-version={tags[0][2:]}", "--implementation=cp"] if tags[0].startswith("cp") else []
    platforms = [f"--platform={tag}" for tag in tags[2].split(".")]
    scratch = downloads / ".pip"
    shutil.rmtree(scratch, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", *platforms, *python,
               "--no-cache-dir", "--disable-pip-version-check", "--dest", str(scratch), f"{name}=={wheel['version']}"]
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace", check=False)
    found = scratch / wheel["file"]
    if is_whole(found, wheel):
        sync_file(found)
        found.replace(downloads / wheel["file"])
    shutil.rmtree(scratch, ignore_errors=True)
    return cause_of(answer.stdout) if answer.returncode else ""


def cause_of(output):
    """What pip's output says of the reason; its last line, "no matching distribution", tells nothing."""
    known = re.search(r"certificate verify failed|Temporary failure in name resolution|Name or service not known|"
                      r"Connection refused|Network is unreachable|timed out|No space left on device", output, re.IGNORECASE)
    return known.group(0) if known else (output.strip().splitlines() or [""])[-1]


def fetch(name, wheel, downloads):
    """Makes sure that the whole wheel lies in `downloads`."""
    target = downloads / wheel["file"]
    if target.exists():
        if is_whole(target, wheel):
            return
        say(f"    {target.name} is damaged; fetching it anew")
        target.unlink()
    say(f"    {name} {wheel['version']} ({megabytes(wheel['size'])})")
    url, problem = find_url(name, wheel), None
    if url:
        try:
            download(url, target, wheel)
        except SetupError as error:
            problem = str(error)
    if not target.exists():
        reason = download_with_pip(name, wheel, downloads)
        if not target.exists():
            raise SetupError(problem or f"{name} {wheel['version']} ({megabytes(wheel['size'])}) could not be downloaded"
                             f"{': ' + reason if reason else ''}. Is this machine online, and does pip reach its index? "
                             f"The file may also be put there by hand: {target}")


# --- unpack -----------------------------------------------------------------------------------------------------------

def stamp_of(lock, chosen):
    """What a finished tree says of itself."""
    wheels = [{"file": lock["wheels"][name]["file"], "sha256": lock["wheels"][name]["sha256"],
               "unpack": lock["wheels"][name]["unpack"][chosen]} for name in lock["sets"][chosen]]
    return json.dumps({"set": chosen, "wheels": wheels}, indent=1) + "\n"


def is_ready(lock, chosen, root):
    """True when the tree holds the chosen set, or all of CUDA, which holds the CPU set too."""
    try:
        stamp = (root / "stamp").read_text(encoding="utf-8")
    except OSError:
        return False
    return any(stamp == stamp_of(lock, known) for known in {chosen, "cuda"}) and (root / "torch/lib/libc10.so").exists()


def unpack(lock, chosen, root, downloads):
    """Unpacks beside the place, then renames: whatever is cut, no half tree has a stamp."""
    fresh, old = root / ".new", root / ".old"
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    fresh.mkdir()
    for name in lock["sets"][chosen]:
        wheel = lock["wheels"][name]
        with zipfile.ZipFile(downloads / wheel["file"]) as archive:
            for pattern in wheel["unpack"][chosen]:
                members = fnmatch.filter(archive.namelist(), pattern)
                if not members:
                    raise SetupError(f"{wheel['file']} holds nothing named {pattern}")
                archive.extractall(fresh, members)
                for member in members:
                    if archive.getinfo(member).external_attr >> 16 & 0o111:
                        (fresh / member).chmod(0o755)
    (root / "stamp").unlink(missing_ok=True)
    old.mkdir()
    for entry in sorted(fresh.iterdir()):
        place = root / entry.name
        if place.exists():
            place.rename(old / entry.name)
        entry.rename(place)
    os.sync()
    stamp = root / "stamp.new"
    stamp.write_text(stamp_of(lock, chosen), encoding="utf-8")
    stamp.replace(root / "stamp")
    shutil.rmtree(fresh)
    shutil.rmtree(old)


def set_up(lock, chosen, root):
    if is_ready(lock, chosen, root):
        return
    downloads = root / ".download"
    downloads.mkdir(parents=True, exist_ok=True)
    with open(root / ".lock", "w", encoding="utf-8") as guard:
        try:
            fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("==> another setup is at work here; waiting for it")
            fcntl.flock(guard, fcntl.LOCK_EX)
        if is_ready(lock, chosen, root):
            return
        say(f"==> LibTorch ({'with CUDA' if chosen == 'cuda' else 'CPU parts'})")
        for name in lock["sets"][chosen]:
            fetch(name, lock["wheels"][name], downloads)
        say("    unpacking")
        unpack(lock, chosen, root, downloads)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=Path, required=True, help="the folder that takes the tree and the downloads")
    parser.add_argument("--set", choices=("cpu", "cuda"), default="cpu", help="which parts (default: cpu)")
    parser.add_argument("--check", action="store_true", help="only say by the exit code whether they are there")
    parser.add_argument("--lock", type=Path, default=Path(__file__).with_name("wheels.json"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    lock = json.loads(options.lock.read_text(encoding="utf-8"))
    if options.check:
        return 0 if is_ready(lock, options.set, options.into) else 1
    try:
        if "PIP_CERT" in os.environ:
            os.environ.setdefault("SSL_CERT_FILE", os.environ["PIP_CERT"])
        set_up(lock, options.set, options.into)
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"setup: {error.strerror or error}: {error.filename or options.into}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nsetup: interrupted; what was downloaded is kept, and scripts/setup goes on from there", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
