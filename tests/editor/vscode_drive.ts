// Drives what the extension for VS Code consists of, without VS Code: run by test_vscode.py, in node.

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import {
  createProtocolConnection,
  DidOpenTextDocumentNotification,
  ExecuteCommandRequest,
  InitializedNotification,
  InitializeRequest,
  ShutdownRequest,
  ExitNotification,
  StreamMessageReader,
  StreamMessageWriter,
  ApplyWorkspaceEditRequest,
  CodeLensRequest,
  TextDocumentContentRequest,
  TextDocumentContentRefreshRequest,
} from "vscode-languageserver-protocol/node";

import { outcome, type Ask } from "../../visualizer/editor/clients/vscode/src/asking";
import { serverWords, terminalWords } from "../../visualizer/editor/clients/vscode/src/settings";
import { Steps, type Step } from "../../visualizer/editor/clients/vscode/src/steps";
import { Walking } from "../../visualizer/editor/clients/vscode/src/walking";

const given = JSON.parse(readFileSync(process.env["UNFOLD_DRIVE"] ?? "", "utf-8"));

async function main(): Promise<void> {
  const settings = { command: given.command, flags: ["-I", "${workspaceFolder}", "--cc", "none"] };
  const words = serverWords(settings, given.folder) ?? [];
  const server = spawn(words[0] ?? "", words.slice(1), { cwd: given.folder, stdio: ["pipe", "pipe", "inherit"] });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const edits: unknown[] = [];
  const refreshed: string[] = [];
  connection.onRequest(ApplyWorkspaceEditRequest.type, (asked) => {
    edits.push(asked.edit);
    return { applied: true };
  });
  connection.onRequest(TextDocumentContentRefreshRequest.type, (asked) => {
    refreshed.push(asked.uri);
  });
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: { workspace: { textDocumentContent: {} } },
  });
  await connection.sendNotification(InitializedNotification.type, {});
  const textDocument = { uri: given.uri, languageId: "cpp", version: 1, text: given.text };
  await connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });

  const ask: Ask = (command, ...rest) =>
    connection.sendRequest(ExecuteCommandRequest.type, { command, arguments: rest });
  const states: number[] = [];
  const walking = new Walking(ask, (shown) => states.push(shown.state));
  const at = (sought: string) => {
    const before = given.text.slice(0, given.text.indexOf(sought)).split("\n");
    return { line: before.length - 1, character: before.at(-1).length };
  };

  const begun = await ask("unfold.step", given.uri, at("EIGHT(1"));
  walking.take(begun);
  await walking.next();
  await Promise.all([walking.next(), walking.next()]); // keys come faster than answers
  await walking.back();
  const two = walking.shown;
  const content = await connection.sendRequest(TextDocumentContentRequest.type, { uri: two?.uri ?? "" });
  await walking.to(1);
  const line = walking.shown?.text.split("\n")[walking.shown.code] ?? "";
  const place = { line: walking.shown?.code ?? 0, character: line.indexOf("FOUR") };
  await walking.expand(place, "whole");
  const whole = walking.shown;

  const steps = new Steps(ask, whole?.uri ?? "", whole?.last ?? 0);
  const listed = async (each: Step[]): Promise<unknown[]> =>
    Promise.all(each.map(async (step) => [step.row.macro, await listed(await step.inside())]));
  const tree = await listed(await steps.outermost());
  const leading = [];
  for (let state = 0; state <= (whole?.last ?? 0); state++) {
    leading.push((await steps.leadingTo(state))?.row.state ?? null);
  }
  const inner = await steps.leadingTo(2);
  const parents = [];
  for (let step = inner; step !== undefined; step = steps.parent(step)) parents.push(step.row.state);

  const many = outcome(await ask("unfold.step", given.uri, at("MANY(0")));
  const long = many.kind === "document" ? new Steps(ask, many.shown.uri, many.shown.last) : undefined;
  const rows = long && (await (await long.outermost())[0]?.inside());

  const kept = await walking.keep();
  const lenses = await connection.sendRequest(CodeLensRequest.type, { textDocument: { uri: given.uri } });
  const outcomes = [];
  for (const lens of lenses ?? []) {
    const command = lens.command;
    if (command === undefined) continue;
    outcomes.push([command.command, outcome(await ask(command.command, ...(command.arguments ?? []))).kind]);
  }
  const run = outcome(await ask("unfold.open", given.uri, at("EIGHT(1")));
  const nothing = outcome(await ask("unfold.step", given.uri, { line: 0, character: 0 }));
  const result = {
    words,
    states,
    begun: outcome(begun).kind,
    two: two?.text.split("\n")[two.code],
    same: content.text === two?.text,
    whole: whole?.text.split("\n")[whole.code],
    changed: whole?.changed,
    tree,
    leading,
    parents,
    rows: rows?.length,
    kept,
    edits,
    refreshed: new Set(refreshed).size,
    outcomes,
    terminal: run.kind === "terminal" ? terminalWords(settings, given.folder, run.words) : [],
    plain: terminalWords({ command: ["/x/unfold", "lsp"], flags: ["-p", "b"] }, "", ["unfold", "run", "a"]),
    wrapper: terminalWords({ command: ["my-unfold"], flags: [] }, "", ["unfold", "run", "a"]),
    empty: serverWords({ command: [], flags: ["-I", "x"] }, "") ?? null,
    nothing: nothing.kind,
  };
  writeFileSync(given.result, JSON.stringify(result));
  await connection.sendRequest(ShutdownRequest.type);
  await connection.sendNotification(ExitNotification.type);
  connection.dispose();
}

main().catch((problem: unknown) => {
  console.error(problem);
  process.exit(1);
});
