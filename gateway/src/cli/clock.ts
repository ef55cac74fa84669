import { acceptDatabaseTime } from "../db/index.ts";
import { withServices } from "./cli-host.ts";
import type { Command } from "./command.ts";
import { momentText } from "./wording.ts";

const acceptCommand: Command = {
  path: ["clock", "accept"],
  about: "Say that the database's clock is right after it jumped.",
  notes:
    "Running nodes believe it within seconds, and what is due expires and renews. Unasked, they do so once it has agreed with their own clocks for ten minutes.",
  flags: [],
  run: ({ host }) =>
    withServices(host, async ({ db }) => {
      const { at, aheadMs } = await acceptDatabaseTime(db);
      const seconds = Math.round(Math.abs(aheadMs) / 1000);
      const difference = `${seconds} s ${aheadMs < 0 ? "behind" : "ahead of"} this machine's`;
      return {
        json: { accepted_at: at.toISOString(), ahead_ms: aheadMs },
        text: `The database's clock is accepted: it is ${momentText(at)}, ${difference}.`,
      };
    }),
};

export const clockCommands: readonly Command[] = [acceptCommand];
