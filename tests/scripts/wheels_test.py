#!/usr/bin/env python3
"""scripts/lib/wheels.py against a server that breaks off, ignores ranges, lies or is not there.

The server is this process on the loopback address; pip itself is asked to find the files on it.
"""

import functools
import hashlib
import importlib.util
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "scripts/lib/wheels.py"
SPEC = importlib.util.spec_from_file_location("wheels", SCRIPT)
wheels = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(wheels)
HAS_PIP = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0


class Server(ThreadingHTTPServer):
    """Serves `files`; how it misbehaves is set by its fields."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {}        # path -> bytes
        self.cut_after = None  # bytes a connection may get before it is closed
        self.ranges = True     # whether Range is understood
        self.failures = 0      # how many answers of 503 come first
        self.stall_at = None   # byte at which a connection hangs until `release`
        self.release = threading.Event()
        self.requests = []     # (path, Range)
        self.sent = 0
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # a client that was killed is part of the test

    def url(self, path):
        return f"http://127.0.0.1:{self.server_address[1]}{path}"

    def stop(self):
        self.release.set()
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):
        server, wanted = self.server, self.headers.get("Range")
        server.requests.append((self.path, wanted))
        if self.path not in server.files:
            self.send_error(404)
            return
        if server.failures > 0:
            server.failures -= 1
            self.send_error(503)
            return
        body, begin = server.files[self.path], 0
        if wanted and server.ranges:
            begin = int(wanted.removeprefix("bytes=").rstrip("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {begin}-{len(body) - 1}/{len(body)}")
        else:
            self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "application/octet-stream")
        self.send_header("Content-Length", str(len(body) - begin))
        self.end_headers()
        self.send_body(body, begin)

    def send_body(self, body, begin):
        server = self.server
        end = len(body) if server.cut_after is None else min(len(body), begin + server.cut_after)
        if server.stall_at is not None and self.path.endswith(".whl"):
            self.wfile.write(body[begin:server.stall_at])
            self.wfile.flush()
            server.release.wait(30)
            begin = server.stall_at
        self.wfile.write(body[begin:end])
        server.sent += end - begin
        self.wfile.flush()
        if end < len(body):
            self.close_connection = True


def make_wheel(name, version, members):
    """A wheel as pip accepts it."""
    info = f"{name}-{version}.dist-info"
    members = {f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
               f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n",
               f"{info}/RECORD": "", **members}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for member, content in members.items():
            entry = zipfile.ZipInfo(member)
            entry.external_attr = (0o755 if "/bin/" in member else 0o644) << 16
            archive.writestr(entry, content)
    return stream.getvalue()


def pinned(file, content, version, patterns):
    return {"version": version, "file": file, "size": len(content), "sha256": hashlib.sha256(content).hexdigest(),
            "unpack": {"cpu": patterns, "cuda": ["torch/*", "*.dist-info/licenses/*"]}}


class WithServer(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.stop)
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)


class Download(WithServer):
    def setUp(self):
        super().setUp()
        self.content = os.urandom(300_000)
        self.wheel = pinned("a-1.whl", self.content, "1", [])
        self.server.files["/a-1.whl"] = self.content
        self.target = self.folder / "a-1.whl"
        self.part = self.folder / "a-1.whl.part"
        self.download = functools.partial(wheels.download, self.server.url("/a-1.whl"), self.target, self.wheel,
                                          wait=lambda seconds: None)

    def assert_fetched(self):
        self.assertEqual(self.target.read_bytes(), self.content)
        self.assertFalse(self.part.exists())

    def test_a_good_server_is_asked_once(self):
        self.download()
        self.assert_fetched()
        self.assertEqual(self.server.requests, [("/a-1.whl", None)])

    def test_a_broken_connection_goes_on_where_it_stopped(self):
        self.server.cut_after = 90_000
        self.download()
        self.assert_fetched()
        self.assertEqual([wanted for _, wanted in self.server.requests],
                         [None, "bytes=90000-", "bytes=180000-", "bytes=270000-"])
        self.assertEqual(self.server.sent, len(self.content))

    def test_what_an_earlier_run_left_is_used(self):
        self.part.write_bytes(self.content[:250_000])
        self.download()
        self.assert_fetched()
        self.assertEqual(self.server.sent, 50_000)

    def test_a_whole_part_is_only_checked(self):
        self.part.write_bytes(self.content)
        self.download()
        self.assert_fetched()
        self.assertEqual(self.server.requests, [])

    def test_a_server_without_ranges_begins_anew(self):
        self.server.ranges = False
        self.part.write_bytes(b"x" * 100_000)
        self.download()
        self.assert_fetched()

    def test_a_damaged_part_is_fetched_anew(self):
        self.part.write_bytes(b"x" * 200_000)
        self.download()
        self.assert_fetched()

    def test_an_overlong_part_is_fetched_anew(self):
        self.part.write_bytes(self.content + b"x")
        self.download()
        self.assert_fetched()

    def test_a_busy_server_is_asked_again(self):
        self.server.failures = 3
        self.download()
        self.assert_fetched()

    def test_another_file_than_the_pinned_one_is_refused(self):
        self.server.files["/a-1.whl"] = os.urandom(300_000)
        with self.assertRaisesRegex(wheels.SetupError, "SHA-256"):
            self.download()
        self.assertFalse(self.target.exists())
        self.assertFalse(self.part.exists())

    def test_a_missing_file_is_said_at_once(self):
        self.server.files.clear()
        with self.assertRaisesRegex(wheels.SetupError, "404"):
            self.download()
        self.assertEqual(len(self.server.requests), 1)

    def test_a_server_that_is_away_keeps_what_came(self):
        self.part.write_bytes(self.content[:1000])
        self.server.failures = 1000
        with self.assertRaisesRegex(wheels.SetupError, "503.*goes on from there"):
            self.download()
        self.assertEqual(self.part.read_bytes(), self.content[:1000])


@unittest.skipUnless(HAS_PIP, "this Python has no pip")
class SetUp(WithServer):
    """The whole script with a small index: two wheels, of which some members are wanted."""

    def setUp(self):
        super().setUp()
        torch = make_wheel("torch", "1.0", {"torch/lib/libc10.so": "c10", "torch/include/a/b.h": os.urandom(200_000),
                            "torch/lib/libtorch_cuda.so": "cuda", "torch-1.0.dist-info/licenses/LICENSE": "free"})
        other = make_wheel("other", "2.0", {"nvidia/lib/libcudart.so": "cudart", "nvidia/lib/big.a": "left out",
                                           "nvidia/bin/nvcc": "compile"})
        self.lock = {
            "sets": {"cpu": ["torch", "other"], "cuda": ["torch"]},
            "wheels": {
                "torch": pinned("torch-1.0-cp311-cp311-manylinux_2_28_x86_64.whl", torch, "1.0",
                                ["torch/include/*", "torch/lib/libc10.so", "*.dist-info/licenses/*"]),
                "other": pinned("other-2.0-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl", other, "2.0",
                                ["nvidia/lib/*.so", "nvidia/bin/*"])}}
        for name, content in (("torch", torch), ("other", other)):
            file = self.lock["wheels"][name]["file"]
            self.server.files[f"/files/{file}"] = content
            self.server.files[f"/simple/{name}/"] = f'<a href="/files/{file}">{file}</a>'.encode()
        self.lock_file = self.folder / "lock.json"
        self.lock_file.write_text(json.dumps(self.lock))
        self.root = self.folder / "third party"  # with a blank, as folders of people have
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
        self.environment.update(PIP_INDEX_URL=self.server.url("/simple/"), PIP_CONFIG_FILE=os.devnull, PIP_RETRIES="1",
                                NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")

    def start(self, *options):
        return subprocess.Popen([sys.executable, SCRIPT, "--lock", self.lock_file, "--into", self.root, *options],
                                env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def set_up_from_downloads(self):
        """What an earlier run left, without asking pip again."""
        downloads = self.root / ".download"
        downloads.mkdir(parents=True)
        for wheel in self.lock["wheels"].values():
            (downloads / wheel["file"]).write_bytes(self.server.files[f"/files/{wheel['file']}"])
        self.assertEqual(self.run_script()[0], 0)

    def wait_for(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end, "waited a minute for nothing")
            time.sleep(0.02)

    def run_script(self, *options):
        process = self.start(*options)
        output = process.communicate(timeout=120)[0]
        return process.returncode, output

    def assert_set_up(self):
        self.assertEqual((self.root / "torch/lib/libc10.so").read_text(), "c10")
        self.assertEqual((self.root / "torch/include/a/b.h").stat().st_size, 200_000)
        self.assertEqual((self.root / "nvidia/lib/libcudart.so").read_text(), "cudart")
        self.assertTrue(os.access(self.root / "nvidia/bin/nvcc", os.X_OK))
        self.assertTrue((self.root / "torch-1.0.dist-info/licenses/LICENSE").exists())
        self.assertFalse((self.root / "nvidia/lib/big.a").exists())
        self.assertFalse((self.root / ".new").exists())
        self.assertFalse((self.root / ".old").exists())
        self.assertEqual(self.run_script("--check")[0], 0)

    def test_sets_up_then_does_nothing_without_a_word(self):
        self.assertEqual(self.run_script("--check")[0], 1)
        code, output = self.run_script()
        self.assertEqual(code, 0, output)
        self.assert_set_up()
        self.server.requests.clear()
        self.assertEqual(self.run_script(), (0, ""))
        self.assertEqual(self.server.requests, [])

    def test_the_large_file_comes_by_ranges_and_not_through_pip(self):
        self.server.cut_after = 150_000
        code, output = self.run_script()
        self.assertEqual(code, 0, output)
        self.assert_set_up()
        self.assertIn("bytes=150000-", [wanted for _, wanted in self.server.requests])

    def test_killed_in_the_download_it_goes_on(self):
        self.server.stall_at = 100_000
        process = self.start()
        part = self.root / ".download" / (self.lock["wheels"]["torch"]["file"] + ".part")
        self.wait_for(part.exists)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        part.write_bytes(self.server.files["/files/" + self.lock["wheels"]["torch"]["file"]][:100_000])
        self.server.stall_at = None
        self.server.release.set()
        self.server.requests.clear()
        code, output = self.run_script()
        self.assertEqual(code, 0, output)
        self.assertIn("bytes=100000-", [wanted for _, wanted in self.server.requests])
        self.assert_set_up()

    def test_interrupted_it_says_so_in_a_sentence(self):
        self.server.stall_at = 100_000
        process = self.start()
        self.wait_for(lambda: any(path.endswith(".whl") for path, _ in self.server.requests))
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 130, output)
        self.assertIn("interrupted", output)
        self.assertNotIn("Traceback", output)

    def test_works_offline_once_downloaded(self):
        self.set_up_from_downloads()
        self.server.files.clear()
        (self.root / "stamp").unlink()
        shutil.rmtree(self.root / "torch")
        code, output = self.run_script()
        self.assertEqual(code, 0, output)
        self.assert_set_up()

    def test_offline_with_nothing_is_one_clear_sentence(self):
        self.environment["PIP_INDEX_URL"] = "http://127.0.0.1:9/simple/"
        code, output = self.run_script()
        self.assertEqual(code, 1)
        self.assertIn("Connection refused. Is this machine online", output)
        self.assertIn(self.lock["wheels"]["torch"]["file"], output)
        self.assertNotIn("Traceback", output)

    def test_a_damaged_download_is_fetched_anew(self):
        self.set_up_from_downloads()
        (self.root / "stamp").unlink()
        file = self.root / ".download" / self.lock["wheels"]["other"]["file"]
        file.write_bytes(file.read_bytes()[:-10])
        code, output = self.run_script()
        self.assertEqual(code, 0, output)
        self.assertIn("damaged", output)
        self.assert_set_up()

    def test_cut_between_two_renames_it_is_not_taken_for_whole(self):
        self.set_up_from_downloads()
        (self.root / "stamp").unlink()
        rename, calls = Path.rename, []

        def break_at_the_fourth(path, target):
            calls.append(path)
            if len(calls) == 4:
                raise KeyboardInterrupt
            return rename(path, target)

        with mock.patch.object(Path, "rename", break_at_the_fourth), self.assertRaises(KeyboardInterrupt):
            wheels.unpack(self.lock, "cpu", self.root, self.root / ".download")
        self.assertEqual(self.run_script("--check")[0], 1)
        self.assertEqual(self.run_script()[0], 0)
        self.assert_set_up()

    def test_cuda_holds_the_cpu_set_and_not_the_reverse(self):
        self.set_up_from_downloads()
        self.assertEqual(self.run_script("--check", "--set", "cuda")[0], 1)
        self.assertEqual(self.run_script("--set", "cuda")[0], 0)
        self.assertEqual((self.root / "torch/lib/libtorch_cuda.so").read_text(), "cuda")
        self.assertEqual(self.run_script("--check", "--set", "cpu")[0], 0)

    def test_another_pin_is_another_tree(self):
        self.set_up_from_downloads()
        self.lock["wheels"]["torch"]["unpack"]["cpu"].append("torch/lib/libtorch_cuda.so")
        self.lock_file.write_text(json.dumps(self.lock))
        self.assertEqual(self.run_script("--check")[0], 1)
        self.assertEqual(self.run_script()[0], 0)
        self.assertTrue((self.root / "torch/lib/libtorch_cuda.so").exists())

    def test_two_at_once_both_succeed(self):
        first, second = self.start(), self.start()
        outputs = [process.communicate(timeout=120)[0] for process in (first, second)]
        self.assertEqual((first.returncode, second.returncode), (0, 0), outputs)
        self.assert_set_up()

    def test_without_an_address_pip_fetches(self):
        torch = self.lock["wheels"]["torch"]
        scratch = self.folder / "downloads"
        scratch.mkdir()
        with mock.patch.dict(os.environ, self.environment, clear=True):
            wheels.download_with_pip("torch", torch, scratch)
        self.assertTrue(wheels.is_whole(scratch / torch["file"], torch))


class Pins(unittest.TestCase):
    def test_every_wheel_is_pinned_whole(self):
        lock = json.loads((PROJECT / "scripts/lib/wheels.json").read_text())
        self.assertLess(set(lock["sets"]["cpu"]), set(lock["sets"]["cuda"]))
        for name in lock["sets"]["cuda"]:
            wheel = lock["wheels"][name]
            self.assertRegex(wheel["sha256"], "^[0-9a-f]{64}$")
            self.assertTrue(wheel["file"].startswith(f"{name.replace('-', '_')}-{wheel['version']}-"), wheel["file"])
            self.assertTrue(wheel["unpack"]["cuda"])


if __name__ == "__main__":
    unittest.main()
