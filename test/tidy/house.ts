/** What a room may import: other rooms, and rooms from which it may import only types. */
export type RoomRule = { readonly uses: readonly string[]; readonly types?: readonly string[] };

const GROUND = ["kit", "db", "telemetry"];
const NOUNS = ["identity", "catalog", "ledger", "admission", "usage", "billing", "assets"];
const without = (...nouns: readonly string[]) => NOUNS.filter((noun) => !nouns.includes(noun));

/**
 * The direction of imports: from the edges (http, cli) through the path of a paid call (generation) to the nouns and
 * the ground, never back and never sideways, so that each room can be read without the others.
 */
export const HOUSE: Readonly<Record<string, RoomRule>> = {
  kit: { uses: [] },
  media: { uses: [] },
  contract: { uses: ["kit", "media"] },
  wires: { uses: ["kit"], types: ["contract"] },
  outbound: { uses: ["kit", "contract"] },
  version: { uses: [] },
  telemetry: { uses: ["kit"] },
  db: { uses: ["kit"], types: ["telemetry"] },
  config: { uses: ["kit"] },

  identity: { uses: GROUND },
  catalog: { uses: ["kit", "media"], types: ["identity"] },
  ledger: { uses: GROUND },
  admission: { uses: ["kit", "db", "ledger"] },
  usage: { uses: ["kit", "db"] },
  billing: { uses: [...GROUND, "ledger", "catalog"] },
  assets: { uses: [...GROUND, "media"] },

  // The table of what may be administered, which http and cli are faces of.
  operations: { uses: ["kit", "db", ...without("admission"), "outbox"], types: ["telemetry"] },

  mail: { uses: ["kit", "telemetry"] },
  outbox: { uses: [...GROUND, "outbound"] },
  providers: { uses: ["kit", "media", "contract", "wires", "outbound"] },
  // A program of its own, which still shares words with the gateway.
  sandbox: { uses: ["kit", "contract", "outbound", "providers"] },
  compaction: { uses: [] },
  generation: {
    uses: ["kit", "telemetry", ...without("billing"), "media", "contract", "wires", "outbound", "compaction"],
  },
  jobs: { uses: [...GROUND, "ledger", "billing", "assets", "generation", "outbox"] },

  // Of outbound and compaction only pure functions: which URL may be handed on, and how few tokens a text has.
  http: {
    uses: [
      ...GROUND,
      ...without("ledger"),
      "operations",
      "media",
      "contract",
      "wires",
      "outbound",
      "compaction",
      "generation",
    ],
  },
  cli: {
    uses: [...GROUND, ...without("admission", "usage", "billing"), "operations", "compaction", "config"],
    types: ["contract"],
  },
  // Entry, composition root and first start: the one place that knows every room.
  root: {
    uses: [
      ...GROUND,
      ...NOUNS,
      "media",
      "contract",
      "wires",
      "outbound",
      "providers",
      "mail",
      "outbox",
      "operations",
      "compaction",
      "generation",
      "jobs",
      "http",
      "cli",
      "config",
      "version",
    ],
  },
};

/** Folders of gateway/src that belong to the root and are not rooms. */
export const ROOT_FOLDERS: readonly string[] = ["app"];

/**
 * Files of the gateway that the sandbox imports beside the doors of the rooms that its rule names, from the time when it
 * was a part of `providers`: to be emptied, and its rule above with it.
 */
export const SANDBOX_REST: readonly string[] = [
  "gateway/src/providers/foreign-options.ts",
  "gateway/src/providers/old-drafts.ts",
  "gateway/src/providers/refused-part.ts",
  "gateway/src/providers/unpriced-fields.ts",
];

/** The libraries that rooms of pure code may import; `node:fs` is for one function that makes a file durable. */
export const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  kit: ["node:crypto", "node:fs", "node:net"],
  media: [],
  contract: [],
  wires: [],
  compaction: ["node:crypto"],
};
