// What the server is asked to do, and what its answers mean for an editor. Nothing of `vscode` here, so
// that node alone can try it.

/** How far an invocation is expanded. */
export type How = "level" | "whole" | "argument";

/** A line, and the UTF-16 units before the place, both from 0. */
export interface Place {
  line: number;
  character: number;
}

/** A document that steps, at one of its states. `code` is the line at which the code begins. */
export interface Shown {
  uri: string;
  text: string;
  state: number;
  last: number;
  code: number;
  changed: { line: number; start: number; end: number }[];
}

/** Has the server carry out a command, and hands its answer on. */
export type Ask = (command: string, ...given: unknown[]) => Promise<unknown>;

/** What is to be done with the answer of a command. */
export type Outcome =
  | { kind: "document"; shown: Shown }
  | { kind: "terminal"; words: string[] }
  | { kind: "nothing" };

export function outcome(answered: unknown): Outcome {
  if (typeof answered !== "object" || answered === null) return { kind: "nothing" };
  if (isShown(answered)) return { kind: "document", shown: answered };
  const words: unknown = "words" in answered ? answered.words : undefined;
  if (Array.isArray(words) && words.every((word) => typeof word === "string")) {
    return { kind: "terminal", words };
  }
  return { kind: "nothing" };
}

export function isShown(answered: unknown): answered is Shown {
  return (
    typeof answered === "object" && answered !== null && "uri" in answered && "state" in answered
  );
}
