import type { ChatEvent, ReportedInput, ReportedUsage } from "../../../contract/index.ts";
import { textIn } from "./plain-event.ts";

const INPUT_COUNTS = [
  "inputTokens",
  "cachedInputTokens",
  "cacheWriteTokens",
  "audioInputTokens",
] as const satisfies readonly (keyof ReportedInput)[];

type Report = {
  readonly usage: ReportedUsage;
  /** The answer went on after the report, which does not cover what was written since. */
  isOutdated: boolean;
  /** Reported after some output had come; before that, its output count is a guess. */
  readonly isOfWords: boolean;
};

/**
 * A server's usage reports during an answer. Some open a stream with one, some send one with every chunk, and some send
 * zeros at the end.
 */
export class UsageReports {
  #ofAll: Report | null = null;
  /** By index of the answer. */
  readonly #ofEach: (Report | undefined)[] = [];
  /** A report has changed the input counts. */
  #mayHaveNewInput = false;
  #emittedInput: ReportedInput | null = null;

  /** A report on all answers together, or on the one at `index`. The last report counts, except for its zeros. */
  take(usage: ReportedUsage, { index, isOfWords }: { index: number | undefined; isOfWords: boolean }): void {
    const before = index === undefined ? this.#ofAll : this.#ofEach[index];
    const now = { usage, isOutdated: false, isOfWords };
    const report = before ? after(before, now) : now;
    if (!before || !isSameInput(before.usage, report.usage)) this.#mayHaveNewInput = true;
    if (index === undefined) this.#ofAll = report;
    else this.#ofEach[index] = report;
  }

  /** The answer at `index` goes on. */
  wroteOn(index: number): void {
    if (this.#ofAll !== null) this.#ofAll.isOutdated = true;
    const own = this.#ofEach[index];
    if (own !== undefined) own.isOutdated = true;
  }

  /** Some report would be outdated by more text. */
  get isCurrent(): boolean {
    return this.#ofAll?.isOutdated === false || this.#ofEach.some((each) => each?.isOutdated === false);
  }

  /** Usage of all `answers` that came; null if no report covers everything that was written. */
  usage(answers: number): ReportedUsage | null {
    if (this.#ofAll?.isOutdated === false) return this.#ofAll.usage;
    const each: ReportedUsage[] = [];
    for (const report of this.#ofEach) if (report?.isOutdated === false) each.push(report.usage);
    return answers > 0 && each.length === answers ? together(each) : null;
  }

  /**
   * For when no report covers everything: emits the input, and returns the last report on the text until then, if more
   * followed it.
   */
  emitKnown(out: ChatEvent[]): { readonly usageSoFar?: ReportedUsage } {
    const input = this.input();
    if (input !== null) out.push({ type: "input", usage: input });
    const report = this.#ofAll;
    const isLeast = report?.isOutdated === true && report.isOfWords && report.usage.outputTokens > 0;
    return isLeast ? { usageSoFar: report.usage } : {};
  }

  /** The input does not change while an answer is written, so any report will do. */
  input(): ReportedInput | null {
    const all = this.#ofEach.flatMap((report) => (report === undefined ? [] : [report.usage]));
    const usage = this.#ofAll?.usage ?? (all.length === 0 ? null : together(all));
    return usage === null ? null : inputOf(usage);
  }

  /** The input, if it differs from what was last returned; some servers report the same with every chunk. */
  newInput(): ReportedInput | null {
    if (!this.#mayHaveNewInput) return null;
    this.#mayHaveNewInput = false;
    const input = this.input();
    if (input === null || input.inputTokens === 0) return null;
    if (this.#emittedInput !== null && isSameInput(this.#emittedInput, input)) return null;
    this.#emittedInput = input;
    return input;
  }
}

/** A later report takes nothing back: where it says 0, the count of the one before is kept. */
function after(before: Report, now: Report): Report {
  const { usage } = now;
  const isUnread = usage.inputTokens === 0 && before.usage.inputTokens > 0;
  const isUnwritten = usage.outputTokens === 0 && before.usage.outputTokens > 0;
  if (!isUnread && !isUnwritten) return now;
  return {
    usage: {
      ...inputOf(isUnread ? before.usage : usage),
      ...outputOf(isUnwritten ? before.usage : usage),
    },
    isOutdated: isUnwritten && before.isOutdated,
    isOfWords: isUnwritten ? before.isOfWords : now.isOfWords,
  };
}

function inputOf(usage: ReportedUsage): ReportedInput {
  const { outputTokens: _written, reasoningTokens: _thought, unpriced: _shown, ...input } = usage;
  return input;
}

function isSameInput(one: ReportedInput, other: ReportedInput): boolean {
  // `Object.is`, so that NaN equals NaN.
  return INPUT_COUNTS.every((name) => Object.is(one[name], other[name]));
}

function outputOf({ outputTokens, reasoningTokens, unpriced }: ReportedUsage) {
  return {
    outputTokens,
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(unpriced === undefined ? {} : { unpriced }),
  };
}

/** Outputs add up, while the prompt was read once for all answers. */
function together(each: readonly ReportedUsage[]): ReportedUsage {
  const outputTokens = each.reduce((sum, usage) => sum + usage.outputTokens, 0);
  const reasoningTokens = each.reduce((sum, usage) => sum + (usage.reasoningTokens ?? 0), 0);
  const input = each.reduce((most, usage) => (usage.inputTokens > most.inputTokens ? usage : most));
  return { ...input, outputTokens, ...(reasoningTokens === 0 ? {} : { reasoningTokens }) };
}

/**
 * Whether the events from `from` on contain anything the model wrote: blanks, signatures and repetitions do not count.
 */
export function hasOutput(events: readonly ChatEvent[], from: number): boolean {
  for (let at = from; at < events.length; at++) {
    const text = textIn(events[at]).trim();
    // A call without arguments gets an empty object, which is ours.
    if (events[at]?.type === "tool_start" || (text !== "" && text !== "{}")) return true;
  }
  return false;
}
