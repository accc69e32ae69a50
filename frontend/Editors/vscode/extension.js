// Shows the messages of `pmc check --json` when a spec is opened or saved, and
// formats with `pmc fmt`.
"use strict";
const { execFile } = require("child_process");
const path = require("path");
const vscode = require("vscode");

/// Runs pmc; `done` receives its exit code (-1: it did not start), output and errors.
function run(args, input, folder, done) {
  const compiler = vscode.workspace.getConfiguration("pm").get("compiler") || "pmc";
  const child = execFile(compiler, args, { cwd: folder, maxBuffer: 1 << 26 }, (error, out, err) => {
    const code = !error ? 0 : typeof error.code === "number" ? error.code : -1;
    done(code, out, code === -1 ? String(error.message) : err);
  });
  child.stdin.on("error", () => {}); // it may end without reading
  child.stdin.end(input);
}

/// The number of UTF-16 units in the first `bytes` bytes of a line.
function column(line, bytes) {
  return Buffer.from(line, "utf8").subarray(0, bytes).toString("utf8").length;
}

/// The range of a message in a document.
function rangeOf(document, found) {
  if (found.line < 1 || found.line > document.lineCount) {
    return new vscode.Range(0, 0, 0, 0);
  }
  const at = (line, bytes) => {
    const last = Math.min(line, document.lineCount) - 1;
    return [last, column(document.lineAt(last).text, bytes - 1)];
  };
  return new vscode.Range(...at(found.line, found.column), ...at(found.end_line, found.end_column));
}

const severities = { error: 0, warning: 1, remark: 2 }; // of vscode.DiagnosticSeverity

function toDiagnostic(document, found, same) {
  const result = new vscode.Diagnostic(rangeOf(document, found), found.message, severities[found.severity]);
  result.source = "pmc";
  result.relatedInformation = found.notes
    .filter((note) => note.line > 0 && same(note.file))
    .map((note) => new vscode.DiagnosticRelatedInformation(
      new vscode.Location(document.uri, rangeOf(document, note)), note.message));
  const others = found.notes.filter((note) => note.line === 0).map((note) => "\n" + note.message);
  result.message += others.join("");
  if (found.suggestion) {
    result.suggestion = found.suggestion;
  }
  return result;
}

function check(document, collection) {
  if (document.languageId !== "pm" || document.uri.scheme !== "file") {
    return;
  }
  const file = document.uri.fsPath;
  const flags = vscode.workspace.getConfiguration("pm").get("arguments") || [];
  run(["check", "--json", ...flags, file], "", path.dirname(file), (code, out, err) => {
    const same = (name) => path.resolve(path.dirname(file), name) === file;
    const found = [];
    for (const line of out.split("\n")) {
      if (!line) {
        continue;
      }
      const message = JSON.parse(line);
      if (same(message.file)) {
        found.push(toDiagnostic(document, message, same));
      } else {
        // In a module, or without a place: at the beginning of the spec.
        const place = message.line > 0 ? `${message.file}:${message.line}:${message.column}: ` : "";
        found.push(toDiagnostic(document, { ...message, line: 0, message: place + message.message }, same));
      }
    }
    if (code !== 0 && found.length === 0) {
      vscode.window.showErrorMessage(`pmc check: ${err || "no message"}`);
    }
    collection.set(document.uri, found);
  });
}

function format(document) {
  return new Promise((resolve) => {
    const text = document.getText();
    run(["fmt", "-"], text, path.dirname(document.uri.fsPath), (code, out, err) => {
      if (code === -1) {
        vscode.window.showErrorMessage(`pmc fmt: ${err}`);
      }
      if (code !== 0 || out === text) {
        return resolve([]); // after syntax errors, which check shows
      }
      const all = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
      resolve([vscode.TextEdit.replace(all, out)]);
    });
  });
}

/// "did you mean": replaces the word.
function fixes(document, context) {
  return context.diagnostics.filter((found) => found.suggestion).map((found) => {
    const action = new vscode.CodeAction(`Replace by '${found.suggestion}'`, vscode.CodeActionKind.QuickFix);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(document.uri, found.range, found.suggestion);
    action.diagnostics = [found];
    return action;
  });
}

function activate(context) {
  const collection = vscode.languages.createDiagnosticCollection("pm");
  context.subscriptions.push(
    collection,
    vscode.workspace.onDidOpenTextDocument((document) => check(document, collection)),
    vscode.workspace.onDidSaveTextDocument((document) => check(document, collection)),
    vscode.workspace.onDidCloseTextDocument((document) => collection.delete(document.uri)),
    vscode.languages.registerDocumentFormattingEditProvider("pm", { provideDocumentFormattingEdits: format }),
    vscode.languages.registerCodeActionsProvider("pm", {
      provideCodeActions: (document, range, asked) => fixes(document, asked),
    }));
  vscode.workspace.textDocuments.forEach((document) => check(document, collection));
}

module.exports = { activate, deactivate() {} };
