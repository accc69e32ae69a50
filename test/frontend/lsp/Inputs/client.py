"""A client of the Language Server Protocol over standard input and output.

It shares no code with the server: positions are counted here on Python's strings.
"""
import json
import os
import queue
import subprocess
import threading
import urllib.parse


def uri_of(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


def path_of(uri):
    return urllib.parse.unquote(uri[len("file://"):])


def units(text):
    """Its length in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def position(text, offset):
    """The position of a character of the text."""
    before = text[:offset]
    return {"line": before.count("\n"), "character": units(before[before.rfind("\n") + 1:])}


def offset(text, at):
    """The inverse of position."""
    begin = 0
    for _ in range(at["line"]):
        begin = text.index("\n", begin) + 1
    end = begin
    while units(text[begin:end]) < at["character"]:
        end += 1
    return end


def find(text, marked):
    """The position of '|' in `marked`, a part of the text apart from that."""
    before, after = marked.split("|")
    at = text.find(before + after)
    assert at >= 0 and text.find(before + after, at + 1) < 0, f"not there once: {marked}"
    return position(text, at + len(before))


def range_of(text, marked):
    """The range between '[[' and ']]' in `marked`, a part of the text apart from these."""
    before, rest = marked.split("[[")
    inner, after = rest.split("]]")
    at = text.find(before + inner + after)
    assert at >= 0, f"not there: {marked}"
    begin = at + len(before)
    return {"start": position(text, begin), "end": position(text, begin + len(inner))}


def apply(text, edits):
    """The text after edits, of which none meet."""
    for edit in sorted(edits, key=lambda edit: offset(text, edit["range"]["start"]), reverse=True):
        begin, end = offset(text, edit["range"]["start"]), offset(text, edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text


class Failure(Exception):
    """An error that the server answers with."""


class Client:
    def __init__(self, compiler, *flags):
        self.process = subprocess.Popen([compiler, "lsp", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        self.diagnostics = {}  # by URI, the last that were published
        self.next = 0
        threading.Thread(target=self._read_all, daemon=True).start()
        self.capabilities = self.request("initialize", {"capabilities": {}, "processId": None, "rootUri": None})[
            "capabilities"]
        self.notify("initialized", {})

    def _read_all(self):
        try:
            while self._read():
                pass
        finally:
            self.messages.put(None)

    def _read(self):
        stream = self.process.stdout
        length = None
        for line in iter(stream.readline, b""):
            if not line.strip():
                self.messages.put(json.loads(stream.read(length)))
                return True
            name, value = line.decode().split(":")
            if name.lower() == "content-length":
                length = int(value)
        return False

    def send(self, message):
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def _receive(self):
        message = self.messages.get(timeout=120)
        assert message is not None, "the server ended"
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]
        return message

    def request(self, method, params):
        self.next += 1
        number = self.next
        self.send({"id": number, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == number:
                if "error" in message:
                    raise Failure(message["error"]["message"])
                return message["result"]

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def wait(self, uri, version):
        """The diagnostics of that version."""
        while self.diagnostics.get(uri, {}).get("version") != version:
            self._receive()
        return self.diagnostics[uri]["diagnostics"]

    def open(self, path, text):
        return Document(self, path, text)

    def stop(self):
        """Ends the server as editors do; its exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=60)


class Document:
    def __init__(self, client, path, text):
        self.client, self.path, self.text, self.version = client, path, text, 1
        self.uri = uri_of(path)
        client.notify("textDocument/didOpen", {
            "textDocument": {"uri": self.uri, "languageId": "pm", "version": 1, "text": text}})

    def replace(self, begin, end, new):
        """Replaces characters, with an incremental change."""
        where = {"start": position(self.text, begin), "end": position(self.text, end)}
        self.text = self.text[:begin] + new + self.text[end:]
        self._changed([{"range": where, "text": new}])

    def set(self, text):
        """Replaces the whole text."""
        self.text = text
        self._changed([{"text": text}])

    def _changed(self, changes):
        self.version += 1
        self.client.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": changes})

    def close(self):
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def wait(self):
        return self.client.wait(self.uri, self.version)

    def request(self, method, **more):
        return self.client.request("textDocument/" + method, {"textDocument": {"uri": self.uri}, **more})

    def at(self, method, marked, **more):
        """A request at the position of '|' in a part of the text."""
        return self.request(method, position=find(self.text, marked), **more)
