// Runs the extension with a stand-in for the module `vscode`.
"use strict";
const assert = require("assert");
const fs = require("fs");
const Module = require("module");
const path = require("path");
const [folder, compiler, spec] = process.argv.slice(2);

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
  constructor(a, b, c, d) {
    [this.start, this.end] = a instanceof Position ? [a, b] : [new Position(a, b), new Position(c, d)];
  }
  toString() { return `${this.start.line}:${this.start.character}-${this.end.line}:${this.end.character}`; }
}
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
const providers = {};
const errors = [];
let messages;
const fake = {
  Position, Range, Diagnostic,
  DiagnosticRelatedInformation: class { constructor(location, message) { Object.assign(this, { location, message }); } },
  Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  TextEdit: { replace: (range, text) => ({ range, text }) },
  WorkspaceEdit: class { replace(uri, range, text) { this.edit = { range, text }; } },
  CodeAction: class { constructor(title) { this.title = title; } },
  CodeActionKind: { QuickFix: "quickfix" },
  window: { showErrorMessage: (text) => errors.push(text) },
  workspace: {
    textDocuments: [],
    getConfiguration: () => ({ get: (name) => (name === "compiler" ? compiler : []) }),
    onDidOpenTextDocument: (f) => (providers.open = f), onDidSaveTextDocument: () => ({}),
    onDidCloseTextDocument: () => ({}),
  },
  languages: {
    createDiagnosticCollection: () => ({ set: (uri, list) => messages(list), delete() {} }),
    registerDocumentFormattingEditProvider: (id, f) => (providers.format = f.provideDocumentFormattingEdits),
    registerCodeActionsProvider: (id, f) => (providers.fix = f.provideCodeActions),
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? fake : load(name, ...rest));
const extension = require(path.join(folder, "extension.js"));

function document(text) {
  const lines = text.split("\n");
  return {
    languageId: "pm", uri: { scheme: "file", fsPath: spec }, lineCount: lines.length,
    lineAt: (line) => ({ text: lines[line] }), getText: () => text, positionAt: () => new Position(0, 0),
  };
}

// Each pattern is one that the editor takes too, and finds what it should.
function colors() {
  const grammar = JSON.parse(fs.readFileSync(path.join(folder, "syntaxes/pm.tmLanguage.json"), "utf8"));
  const rule = (name) => new RegExp(grammar.repository[name].match, "d");
  const found = (name, text) => (rule(name).exec(text) || [null]).slice().filter(Boolean).pop() || null;
  for (const { include } of grammar.patterns) {
    assert(grammar.repository[include.slice(1)], include);
  }
  assert.strictEqual(found("number", "let r = 3 (Mpc/h)^3 * s"), "(Mpc/h)^3");
  assert.strictEqual(found("number", "100 km/s/Mpc/h"), "km/s/Mpc/h");
  assert.strictEqual(found("number", "2 spacing(d)"), "2");
  assert.strictEqual(found("number", "a = 1e-3"), "1e-3");
  assert.strictEqual(found("statement", "param box: length"), "param");
  assert.strictEqual(found("statement", "f(param = 1)"), null);
  assert.strictEqual(found("keyword", "a.loop"), null);
  assert.strictEqual(found("keyword", "map k in f"), "map");
  assert.strictEqual(found("builtin", "sum(f, over = x)"), "sum");
  assert.strictEqual(found("builtin", "f(index = 1)"), null);
  assert.strictEqual(found("word", "z = 4 over 1"), "over");
  assert.strictEqual(found("word", "over = x"), null);
  assert.strictEqual(found("type", "a: complex field[x]"), "complex field");
}

async function main() {
  const text = fs.readFileSync(spec, "utf8");
  const wrong = document(text);
  const got = new Promise((resolve) => (messages = resolve));
  extension.activate({ subscriptions: [] });
  providers.open(wrong);
  const list = await got;
  for (const one of list) {
    console.log(one.severity, String(one.range), one.message, one.suggestion ? `-> ${one.suggestion}` : "");
    one.relatedInformation.forEach((note) => console.log(" ", String(note.location.range), note.message));
  }
  const [fix] = providers.fix(wrong, null, { diagnostics: list });
  console.log("fix", String(fix.edit.edit.range), fix.edit.edit.text);
  const [edit] = await providers.format(wrong);
  console.log("formatted", edit.text.trimEnd().split("\n").length, "lines");
  console.log("nothing to format:", (await providers.format(document(edit.text))).length);
  console.log("syntax errors:", (await providers.format(document("let a = 1 +"))).length);
  colors();
  console.log("colors: good");
  assert.deepStrictEqual(errors, []);
}

main();
