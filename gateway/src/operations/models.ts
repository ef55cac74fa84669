import { z } from "zod";
import { limitWords, type Model, priceWords, visibleAliases, visibleModels } from "../catalog/index.ts";
import { type ActIn, defineOperation } from "./operation.ts";
import { noSuch, refused } from "./problem.ts";

const NONE: ReadonlySet<string> = new Set();
const WORDS = z.array(z.string()).readonly();

const MODEL = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(["text", "image", "video", "audio"]),
    provider: z.string(),
    description: z.string().nullable(),
    aliases: WORDS,
    capabilities: WORDS,
    price: z.string().describe("as text: “1 credit per 1,000 tokens in …”"),
    limits: WORDS.describe("as text, one entry per limit"),
    isOn: z.boolean(),
    choices: z
      .object({
        audioKind: z.enum(["speech", "music"]).optional(),
        aspectRatios: WORDS.optional(),
        tiers: WORDS.optional(),
        resolutions: WORDS.optional(),
        voices: WORDS.optional(),
        styles: WORDS.optional(),
        durationSeconds: z
          .object({
            min: z.number(),
            max: z.number(),
            usual: z.number(),
            values: z.array(z.number()).readonly().nullable(),
          })
          .optional(),
        maxOutputTokens: z.int().optional(),
      })
      .describe("the options of a form"),
  })
  .meta({ id: "OfferedModel" });

/** What the plan offers, including models that are switched off: they can be switched on again. */
function offeredTo({ services: { catalog }, organization }: ActIn) {
  return visibleModels({ catalog, organization: { ...organization, disabledModels: NONE } });
}

const listModels = defineOperation({
  name: "model.list",
  area: "settings",
  access: "read",
  place: "organization",
  who: "member",
  rest: ["GET /organizations/{org}/models"],
  input: z.strictObject({}),
  output: z.object({ models: z.array(MODEL) }).meta({ id: "OfferedModels" }),
  words: { about: "List the models that an organization's plan offers, switched off ones too." },
  async run(act) {
    const { services, organization } = act;
    const serving = Map.groupBy(
      visibleAliases({ catalog: services.catalog, organization }),
      ([, model]) => model.id,
    );
    const models = offeredTo(act).map((model) => ({
      id: model.id,
      name: model.name,
      type: model.type,
      provider: model.provider,
      description: model.description,
      aliases: (serving.get(model.id) ?? []).map(([alias]) => alias),
      capabilities: model.capabilities,
      price: priceWords({ type: model.type, ...model.published.price }) ?? "",
      limits: limitWords(model),
      isOn: !organization.disabledModels.has(model.id),
      choices: choicesOf(model),
    }));
    return { models };
  },
});

const switchModel = defineOperation({
  name: "model.switch",
  area: "settings",
  access: "write",
  place: "organization",
  who: "admin",
  rest: ["PATCH /organizations/{org}/models/{id}"],
  input: z.strictObject({ id: z.string().describe("the model's id"), isOn: z.boolean() }),
  output: z.object({ id: z.string(), isOn: z.boolean() }).meta({ id: "SwitchedModel" }),
  words: { about: "Switch a model off for an organization, or on again." },
  async run(act, { id, isOn }) {
    const { services, organization, actor } = act;
    if (!offeredTo(act).some((model) => model.id === id)) throw noSuch("model");
    const place = { organizationId: organization.id, actor };
    const switched = await services.identity.organizations.switchModel({ ...place, modelId: id, isOn });
    if (switched.outcome !== "ok") throw refused(switched, "organization", {});
    const wasOn = !organization.disabledModels.has(id);
    const object = { kind: "model", id, name: null };
    return {
      output: { id, isOn },
      changed: wasOn === isOn ? null : { object, before: { isOn: wasOn }, after: { isOn } },
    };
  },
});

function choicesOf(model: Model): z.input<typeof MODEL>["choices"] {
  switch (model.type) {
    case "text":
      return { maxOutputTokens: model.limits.maxOutputTokens };
    case "image":
      return { aspectRatios: model.limits.aspectRatios, tiers: [...model.price.units.keys()] };
    case "video":
      return {
        aspectRatios: model.limits.aspectRatios,
        resolutions: model.limits.resolutions,
        durationSeconds: inSeconds(model.limits.duration),
      };
    case "audio":
      return model.audioKind === "speech"
        ? { audioKind: "speech", voices: model.limits.voices }
        : {
            audioKind: "music",
            styles: model.limits.styles,
            durationSeconds: inSeconds(model.limits.duration),
          };
  }
}

type Duration = { minMs: number; maxMs: number; defaultMs: number; valuesMs: readonly number[] | null };

function inSeconds({ minMs, maxMs, defaultMs, valuesMs }: Duration) {
  return {
    min: minMs / 1000,
    max: maxMs / 1000,
    usual: defaultMs / 1000,
    values: valuesMs?.map((ms) => ms / 1000) ?? null,
  };
}

export const MODEL_OPERATIONS = [listModels, switchModel] as const;
