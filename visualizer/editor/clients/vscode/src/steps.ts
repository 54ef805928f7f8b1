// The steps of a document as a tree: an invocation, and inside of it those of its arguments and of what it
// became. Thousands may be inside of one, so each part is asked for when it is looked at.

import type { Ask } from "./asking";

/** The state behind a step, the macro and what happens, how many steps are inside of it, and the one at
 * which the list goes on behind those. */
export interface Row {
  state: number;
  macro: string;
  text: string;
  inside: number;
  over: number;
}

export class Step {
  private known: Promise<Step[]> | undefined;

  constructor(
    readonly row: Row,
    readonly parent: Step | undefined,
    private readonly ask: (first: number, last: number) => Promise<Row[]>,
  ) {}

  get hasInside(): boolean {
    return this.row.inside > 0;
  }

  inside(): Promise<Step[]> {
    this.known ??= this.ask(this.row.state, this.row.over).then((rows) =>
      rows.map((row) => new Step(row, this, this.ask)),
    );
    return this.known;
  }
}

export class Steps {
  private readonly whole: Step;

  constructor(ask: Ask, uri: string, readonly last: number) {
    const rows = async (first: number, last: number) => {
      const told: Row[] = [];
      // The server tells some hundreds at once.
      for (let from = first; from < last; ) {
        const more = ((await ask("unfold.steps", uri, from, last)) ?? []) as Row[];
        const end = more.at(-1)?.over;
        told.push(...more);
        if (end === undefined || end <= from) break;
        from = end;
      }
      return told;
    };
    const row = { state: 0, macro: "", text: "", inside: last, over: last };
    this.whole = new Step(row, undefined, rows);
  }

  /** Those that are inside of no other. */
  outermost(): Promise<Step[]> {
    return this.whole.inside();
  }

  parent(step: Step): Step | undefined {
    return step.parent === this.whole ? undefined : step.parent;
  }

  /** The step that leads to a state; undefined of the first state, to which none does. */
  async leadingTo(state: number): Promise<Step | undefined> {
    let each = await this.outermost();
    for (;;) {
      const around = each.find((step) => step.row.state <= state && state <= step.row.over);
      if (around === undefined || around.row.state === state) return around;
      each = await around.inside();
    }
  }
}
