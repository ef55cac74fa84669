import {
  canBeCalled,
  listModels,
  MODEL_TYPES,
  type ModelType,
  servingIds,
  type Viewer,
} from "../catalog/index.ts";
import { ConfigError, soundConfig } from "../config/index.ts";
import { type CliHost, withServices } from "./cli-host.ts";
import { alignTable } from "./columns.ts";
import type { Command } from "./command.ts";
import { parseChoice } from "./flag-values.ts";
import { findOrganization } from "./operator-services.ts";
import { commandText } from "./wording.ts";

type Entry = {
  readonly id: string;
  readonly name: string;
  readonly type: ModelType;
  readonly provider: string;
  readonly credits_per_request: number;
  readonly aliases: readonly string[];
};

export const modelsCommand: Command = {
  path: ["models"],
  about: "List the models that can be called.",
  notes:
    "Those of every configured provider, or only what one organization sees. AT LEAST is the minimum charge in credits. ALIASES are those that currently resolve to the model (with --org: for that organization).",
  flags: [
    { name: "org", value: "ORG", about: "what this organization sees, by id or slug" },
    { name: "type", value: "TYPE", about: `only ${MODEL_TYPES.join(", ")}` },
  ],
  async run({ flags, host, paint }) {
    const typeText = flags.text("type");
    const type = typeText === undefined ? undefined : parseChoice("--type", typeText, MODEL_TYPES);
    const orgText = flags.text("org");
    const all = orgText === undefined ? allModels(host) : await modelsOf(host, orgText);
    const models = all.filter((model) => type === undefined || model.type === type);
    const heading = ["MODEL", "TYPE", "PROVIDER", "AT LEAST", "ALIASES", "NAME"];
    const rows = models.map((model) => [
      model.id,
      model.type,
      model.provider,
      String(model.credits_per_request),
      model.aliases.join(" "),
      model.name,
    ]);
    return {
      json: { models, count: models.length },
      text: alignTable(
        paint,
        heading,
        rows,
        `No model can be called: ${commandText("doctor")} says what is missing.`,
      ),
    };
  },
};

function modelsOf(host: CliHost, orgText: string): Promise<readonly Entry[]> {
  return withServices(host, async (services) => {
    const organization: Viewer = await findOrganization(services, orgText);
    return listModels({ catalog: services.catalog, organization });
  });
}

/** All models that can be called, including those reserved for some organizations; needs no database. */
function allModels(host: CliHost): readonly Entry[] {
  const { loaded } = host.inspectCatalog(soundConfig(host.inspectConfig()));
  if (loaded.outcome === "refused") throw new ConfigError(loaded.problems);
  const { models } = loaded.catalog;
  const callable = new Map([...models].filter(([, model]) => canBeCalled(model)));
  const aliasesOf = Map.groupBy(loaded.catalog.aliases, ([, ids]) => {
    const serving = servingIds(ids, models).filter((id) => callable.has(id));
    return serving.find((id) => callable.get(id)?.visibility === null) ?? serving[0];
  });
  return [...callable.values()].map((model) => ({
    ...model.published,
    aliases: (aliasesOf.get(model.id) ?? []).map(([alias]) => alias),
  }));
}
