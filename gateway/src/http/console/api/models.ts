import { z } from "zod";
import { limitWords, type Model, priceWords, visibleAliases, visibleModels } from "../../../catalog/index.ts";
import type { ModelRow } from "../contract.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Command, Query } from "./operation.ts";
import { noSuch } from "./problem.ts";
import { refused } from "./refused.ts";

const NONE: ReadonlySet<string> = new Set();

/** What the plan offers, including models that are switched off: they can be switched on again. */
export function modelsQuery({ catalog }: ConsoleParts): Query<"models"> {
  return {
    who: "member",
    input: z.strictObject({}),
    async run({ viewer: { organization } }) {
      const serving = Map.groupBy(visibleAliases({ catalog, organization }), ([, model]) => model.id);
      const offered = visibleModels({ catalog, organization: { ...organization, disabledModels: NONE } });
      return offered.map((model) => ({
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
    },
  };
}

export function switchModelCommand({ catalog, identity, log }: ConsoleParts): Command<"switch-model"> {
  return {
    who: "admin",
    input: z.strictObject({ id: z.string(), isOn: z.boolean() }),
    async run({ by, signedIn, viewer: { organization } }, { id, isOn }) {
      const offered = visibleModels({ catalog, organization: { ...organization, disabledModels: NONE } });
      if (!offered.some((model) => model.id === id)) throw noSuch("model");
      const switched = await identity.organizations.switchModel({
        ...by,
        modelId: id,
        isOn,
      });
      if (switched.outcome !== "ok") throw refused(switched, "organization", {});
      log.info("console_model_switched", {
        org_id: organization.id,
        user_id: signedIn.userId,
        model: id,
        is_on: isOn,
      });
      return {};
    },
  };
}

function choicesOf(model: Model): ModelRow["choices"] {
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
