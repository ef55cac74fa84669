import { compact, STEPS } from "../compaction/src/index.ts";
import type { ChatMessage } from "../gateway/src/contract/index.ts";
import { countMessage } from "./efficiency-conversation.ts";
import type { Conversation } from "./efficiency-corpus.ts";
import { neutralOf } from "./efficiency-neutral.ts";
import { renderTable } from "./table.ts";

const LEVELS = ["structural", "safe"] as const;
/** Marks that text brought along are always escaped. */
const LEFT_OUT = STEPS.filter((step) => step !== "escaped_marks");

/** What each source saves, in percent of its real tokens, and how many points less with one step left out. */
export function renderAblation(conversations: readonly Conversation[]): string {
  const sources = Map.groupBy(conversations, ({ source }) => source);
  const tables = LEVELS.map((level) => {
    const rows = [...sources, ["all", conversations] as const].map(([source, some]) => {
      const saved = savedBy(some, level);
      const all = saved[0] ?? 0;
      return [source, all.toFixed(2), ...saved.slice(1).map((one) => pointsOf(one - all))];
    });
    return renderTable([`${level}, without`, "nothing", ...LEFT_OUT], rows);
  });
  return tables.join("\n\n");
}

function pointsOf(points: number): string {
  return Math.abs(points) < 0.005 ? "" : points.toFixed(2);
}

/** In percent: with every step, then with each left out. */
function savedBy(conversations: readonly Conversation[], level: (typeof LEVELS)[number]): number[] {
  const choices = [STEPS, ...LEFT_OUT.map((left) => STEPS.filter((step) => step !== left))];
  const shown = choices.map(() => 0);
  let tokens = 0;
  for (const { messages } of conversations) {
    const neutral = messages.map(neutralOf);
    const before = neutral.map(countMessage);
    const known = new Map<ChatMessage["content"], number>();
    tokens += sum(before);
    for (const [at, steps] of choices.entries()) {
      const compacted = compact(neutral, { level, references: true, steps });
      const saved = compacted.changed.map((changed) => {
        const message = compacted.messages[changed] as ChatMessage;
        const count = known.get(message.content) ?? countMessage(message);
        known.set(message.content, count);
        return (before[changed] ?? 0) - count;
      });
      shown[at] = (shown[at] ?? 0) + sum(saved);
    }
  }
  return shown.map((saved) => (100 * saved) / tokens);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
