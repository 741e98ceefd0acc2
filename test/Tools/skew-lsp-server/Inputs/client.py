# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""client.py SERVER FILE LINE:CHARACTER...: speaks LSP as an editor does.

Opens FILE, prints the diagnostics that the server publishes for it, the hover
text at each place (from 0), and that it shut down in order.
"""

import json
import pathlib
import subprocess
import sys

server, path, *places = sys.argv[1:]
uri = pathlib.Path(path).resolve().as_uri()
process = subprocess.Popen([server], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def send(method, params, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    body = json.dumps(message).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    process.stdin.flush()


def receive(accept):
    """The next message that `accept` takes."""
    while True:
        length = None
        while (line := process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if length is None:
            sys.exit("the server ended")
        message = json.loads(process.stdout.read(length))
        if accept(message):
            return message


def request(number, method, params):
    send(method, params, number)
    return receive(lambda m: m.get("id") == number)["result"]


result = request(0, "initialize",
                 {"processId": None, "rootUri": None, "capabilities": {}})
print("hover:", bool(result["capabilities"].get("hoverProvider")))
send("initialized", {})
send("textDocument/didOpen",
     {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1,
                       "text": pathlib.Path(path).read_text()}})
published = receive(
    lambda m: m.get("method") == "textDocument/publishDiagnostics")["params"]
for diagnostic in published["diagnostics"]:
    print("diagnostic at line %d: %s" % (
        diagnostic["range"]["start"]["line"] + 1, diagnostic["message"]))
print("diagnostics:", len(published["diagnostics"]))
for number, place in enumerate(places, start=1):
    line, character = map(int, place.split(":"))
    hover = request(number, "textDocument/hover", {
        "textDocument": {"uri": uri},
        "position": {"line": line, "character": character}})
    print("hover at %s: %s" % (place, hover and hover["contents"]["value"]))
request(1000, "shutdown", None)
send("exit", None)
print("exit code", process.wait(timeout=60))
