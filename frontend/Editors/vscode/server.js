// A client of the Language Server Protocol over the standard input and output of `pmc lsp`.
"use strict";
const { spawn } = require("child_process");

class Server {
  /// `notified` receives (method, params), `ended` a text when the process ends by itself.
  constructor(command, args, notified, ended) {
    this.pending = new Map();
    this.next = 0;
    this.input = Buffer.alloc(0);
    this.notified = notified;
    this.errors = "";
    this.process = spawn(command, args, { stdio: "pipe" });
    this.process.stdin.on("error", () => {}); // the end is reported below
    this.process.stderr.on("data", (text) => (this.errors = (this.errors + text).slice(-1000)));
    this.process.stdout.on("data", (data) => this.read(data));
    const end = (why) => {
      this.pending.forEach(({ reject }) => reject(new Error(why)));
      this.pending.clear();
      if (!this.isStopping) {
        this.isStopping = true;
        ended(why);
      }
    };
    this.process.on("error", (error) => end(String(error.message)));
    this.process.on("exit", (code, signal) => end(`pmc lsp ended with ${signal || code}. ${this.errors}`));
  }

  send(message) {
    if (this.isStopping && message.method !== "exit" && message.method !== "shutdown") {
      return;
    }
    const content = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(`Content-Length: ${content.length}\r\n\r\n`);
    this.process.stdin.write(content);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  request(method, params) {
    return new Promise((resolve, reject) => {
      const id = ++this.next;
      this.pending.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  read(data) {
    this.input = Buffer.concat([this.input, data]);
    for (;;) {
      const header = this.input.indexOf("\r\n\r\n");
      if (header < 0) {
        return;
      }
      const length = Number(/Content-Length: *(\d+)/i.exec(this.input.toString("latin1", 0, header))[1]);
      const end = header + 4 + length;
      if (this.input.length < end) {
        return;
      }
      const message = JSON.parse(this.input.toString("utf8", header + 4, end));
      this.input = this.input.subarray(end);
      this.take(message);
    }
  }

  take(message) {
    if (message.method) {
      this.notified(message.method, message.params);
      return;
    }
    const waiting = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (waiting && message.error) {
      waiting.reject(new Error(message.error.message));
    } else if (waiting) {
      waiting.resolve(message.result);
    }
  }

  async stop() {
    this.isStopping = true;
    await this.request("shutdown", null).catch(() => {});
    this.send({ method: "exit" });
  }
}

module.exports = { Server };
