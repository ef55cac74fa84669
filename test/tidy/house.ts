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

  mail: { uses: ["kit", "telemetry"] },
  providers: { uses: ["kit", "media", "contract", "outbound"] },
  compaction: { uses: ["kit"], types: ["contract"] },
  generation: {
    uses: [
      "kit",
      "telemetry",
      ...without("billing"),
      "media",
      "contract",
      "outbound",
      "providers",
      "compaction",
    ],
  },
  jobs: { uses: [...GROUND, "ledger", "billing", "assets", "generation"] },

  http: { uses: [...GROUND, ...NOUNS, "media", "generation"], types: ["contract", "providers"] },
  cli: { uses: [...GROUND, ...without("admission", "usage"), "compaction", "config"], types: ["providers"] },
  // Entry, composition root and first start: the one place that knows every room.
  root: {
    uses: [
      ...GROUND,
      ...NOUNS,
      "media",
      "contract",
      "outbound",
      "providers",
      "mail",
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
 * Names that `generation` re-exports from the rooms behind it. They belong to the neutral prompt, which the wires of
 * `http` encode and decode: how reasoning is carried through a client, how many tokens a text counts as, what may be
 * asked of a video, which URLs a provider may be given, and which tools a provider does not run itself. As they are
 * listed by name, `http` still cannot reach a provider.
 */
export const HANDED_ON: readonly string[] = [
  "leastTextTokens",
  "CarriedReasoning",
  "createCarriedReasoning",
  "isServedTool",
  "MAX_SPOKEN_TURNS",
  "mayBeHandedOn",
  "repeatedReasoning",
  "signedTexts",
  "VIDEO_TASKS",
  "VideoTask",
];
