import type { ReportedUsage } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";
import { isUnreported, NO_NUMBER, UNREPORTED } from "./odd-counts.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Values that the library would reject, or would sum up to a plausible but wrong count. */
const IS_ODD =
  /[tT]okenCount"\s*:\s*(?!\d+\s*[,}]|null\b)|TokensDetails"\s*:\s*(?!\[|null\b)|"usageMetadata"\s*:\s*(?!\{|null\b)/;

/** More than any answer has, and far too little to turn UNREPORTED into a valid count. */
const MOST_WRITTEN = 2 ** 40;

/**
 * For one answer: rewrites its events so that each usage report is readable for the library and contains everything
 * reported before. The library uses the last report, and counts what it leaves out as 0.
 */
export function createCountedGeminiEvents(): (data: string) => string {
  const reports = new Reports();
  return (data) => {
    try {
      const event: unknown = JSON.parse(data);
      if (!isObject(event)) return data;
      if (hasWords(event)) reports.wroteOn();
      const { usageMetadata: said } = event;
      const given = IS_ODD.test(data) ? readable(said) : said;
      const told = (isObject(given) ? reports.with(given) : reports.uncounted()) ?? given;
      return told === said ? data : JSON.stringify({ ...event, usageMetadata: told });
    } catch {
      // The library reports what is wrong with it.
      return data;
    }
  };
}

class Reports {
  #before: Fields = {};
  /** True if output came that no later report has counted. */
  #isOutdated = false;
  #hasWords = false;
  /** The last output count that was reported after some output. */
  #writtenSoFar = 0;

  wroteOn(): void {
    this.#isOutdated = true;
    this.#hasWords = true;
  }

  /** This report, completed with what earlier ones said; null if it can stay as it is. */
  with(given: Fields): Fields | null {
    const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const all: Fields = { ...this.#before, ...own };
    const { candidatesTokenCount: written } = own;
    if (typeof written === "number") {
      this.#isOutdated = false;
      this.#writtenSoFar = this.#hasWords ? written : 0;
    }
    this.#before = all;
    return this.uncounted() ?? (Object.keys(all).length === Object.keys(own).length ? null : all);
  }

  /**
   * What was reported so far, with the output marked as unreported; null if the output was reported. Google leaves out
   * zeros, so a missing count is valid only if nothing was said.
   */
  uncounted(): Fields | null {
    const all = this.#before;
    const { promptTokenCount: prompt, candidatesTokenCount: written, thoughtsTokenCount: thought } = all;
    // A report with invalid values is already recognisable as such.
    if (!namesCount(all) || Object.values(all).includes(NO_NUMBER) || typeof thought === "number")
      return null;
    const isTotalAlone = typeof prompt !== "number" && typeof written !== "number";
    if (!this.#isOutdated && !isTotalAlone) return null;
    const unreported = UNREPORTED + Math.min(this.#writtenSoFar, MOST_WRITTEN);
    return { ...all, candidatesTokenCount: unreported, promptTokenCount: prompt ?? UNREPORTED };
  }
}

/** The output count before the answer continued, decoded from a report marked as unreported. */
export function writtenSoFar({ candidatesTokenCount: written }: Fields): number {
  return typeof written === "number" && isUnreported(written) ? Math.max(0, written - UNREPORTED) : 0;
}

function namesCount(report: Fields): boolean {
  return Object.entries(report).some(
    ([name, value]) => name.endsWith("TokenCount") && typeof value === "number",
  );
}

/** Text of the answer itself, or a call; reasoning has a count of its own. */
function hasWords({ candidates }: Fields): boolean {
  return partsIn(candidates).some(
    (part) => part["functionCall"] !== undefined || (part["thought"] !== true && Boolean(part["text"])),
  );
}

function partsIn(candidates: unknown): readonly Fields[] {
  if (!Array.isArray(candidates)) return [];
  return candidates.flatMap((candidate: unknown) => {
    const content = isObject(candidate) ? candidate["content"] : null;
    const parts = isObject(content) ? content["parts"] : null;
    return Array.isArray(parts) ? parts.filter(isObject) : [];
  });
}

/** A report that the library can read: an answer must not be lost because of its counts. */
function readable(given: unknown): unknown {
  if (given === undefined || given === null) return given;
  if (!isObject(given)) return { promptTokenCount: NO_NUMBER };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (name.endsWith("TokenCount")) return [[name, isCount(value) ? value : NO_NUMBER]];
      // These only break the prompt down; an entry without a count says nothing.
      if (name.endsWith("TokensDetails"))
        return [[name, Array.isArray(value) ? value.filter(isDetail) : null]];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

function isCount(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && (value as number) >= 0);
}

function isDetail(value: unknown): boolean {
  return isObject(value) && typeof value["modality"] === "string" && typeof value["tokenCount"] === "number";
}

/** Every answer has a prompt, but the library would count a missing prompt count as 0. */
export function usageWithoutPrompt(raw: Readonly<Record<string, unknown>>): ReportedUsage | null {
  const { promptTokenCount: prompt, candidatesTokenCount: written, thoughtsTokenCount: thought } = raw;
  if (typeof prompt === "number" || (typeof written !== "number" && typeof thought !== "number")) return null;
  return { inputTokens: Number.NaN, outputTokens: Number.NaN };
}
