/** What a room of the house may import: other rooms, and rooms of which it may only use the types. */
export type RoomRule = { readonly uses: readonly string[]; readonly types?: readonly string[] };

const GROUND = ["kit", "db", "telemetry"];
const NOUNS = ["identity", "catalog", "ledger", "admission", "usage", "billing", "assets"];
const without = (...nouns: readonly string[]) => NOUNS.filter((noun) => !nouns.includes(noun));

/**
 * The way imports may go: from the edges (http, cli) over the path of a paid call (generation) to the
 * nouns and the ground, never back and never sideways, so that each room can be read without the others.
 */
export const HOUSE: Readonly<Record<string, RoomRule>> = {
  kit: { uses: [] },
  version: { uses: [] },
  telemetry: { uses: ["kit"] },
  db: { uses: ["kit"], types: ["telemetry"] },
  config: { uses: ["kit"] },

  identity: { uses: GROUND },
  catalog: { uses: ["kit"], types: ["identity"] },
  ledger: { uses: GROUND },
  admission: { uses: ["kit", "db", "ledger"] },
  usage: { uses: ["kit", "db"] },
  billing: { uses: [...GROUND, "ledger", "catalog"] },
  assets: { uses: GROUND },

  mail: { uses: ["kit", "telemetry"] },
  providers: { uses: ["kit"] },
  efficiency: { uses: ["kit"], types: ["providers"] },
  generation: { uses: ["kit", "telemetry", ...without("billing"), "providers", "efficiency"] },
  jobs: { uses: [...GROUND, "ledger", "billing", "assets", "generation"] },

  http: { uses: [...GROUND, ...NOUNS, "generation"], types: ["providers"] },
  cli: { uses: [...GROUND, ...without("admission", "usage"), "efficiency", "config"], types: ["providers"] },
  // Entry, composition root and what the first start does: the one place that knows everybody.
  root: {
    uses: [
      ...GROUND,
      ...NOUNS,
      "providers",
      "mail",
      "efficiency",
      "generation",
      "jobs",
      "http",
      "cli",
      "config",
      "version",
    ],
  },
};

/**
 * Folders of src that are part of the root and no rooms. One door of `serving` would be a circle: `services.ts` takes
 * its parts for watching and closing, and its `serve.ts` takes the services.
 */
export const ROOT_FOLDERS: readonly string[] = ["serving"];

/**
 * Names that `generation` hands on from the rooms behind it. They are the words of the neutral prompt, which the wires of
 * `http` write and read: how reasoning is carried through a client, what a text counts as, what a video may be asked for,
 * which address a provider may be handed, which tools are not the provider's own to run. With them by name, `http` still cannot reach a provider.
 */
export const HANDED_ON: readonly string[] = [
  "leastTextTokens",
  "CarriedReasoning",
  "createCarriedReasoning",
  "isServedTool",
  "MAX_SPOKEN_TURNS",
  "mayBeHandedOn",
  "repeatedThoughts",
  "signedTexts",
  "VIDEO_TASKS",
  "VideoTask",
];
