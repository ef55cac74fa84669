import { hasCredentials, type ProviderSettings } from "../../config/index.ts";
import type { ProviderTrial } from "../../contract/index.ts";
import { firstOf } from "../wording.ts";
import { broken, type Check, fine, reasonOf, untried, warning } from "./check.ts";

const MAX_NAMED = 5;

/** Reports how a provider answered; `wanted` are the models that the catalog would request from it. */
export function checkTrial(
  settings: ProviderSettings,
  trial: ProviderTrial,
  wanted: readonly string[],
): Check {
  const { name, settingNames } = settings;
  switch (trial.outcome) {
    case "answered":
      return checkAnswer(settings, trial, wanted);
    case "refused": {
      const finding = hasCredentials(settings) ? `${name} refuses its key` : `${name} requires a key`;
      const fix = `Set ${settingNames.apiKey} to a valid key, or ask the provider why this one is refused.`;
      return broken("providers", `${finding} (${trial.status})`, fix);
    }
    case "unexpected":
      return checkUnexpected(settings, trial);
    case "unreached": {
      const finding = `${name} cannot be reached (${reasonOf(trial.reason)})`;
      const fix = `Check ${addressOf(settings)}: http or https, host and port, and that this machine may connect to it.`;
      return broken("providers", finding, fix);
    }
    case "untried": {
      const key = hasCredentials(settings) ? "key set" : "no key";
      return untried(
        "providers",
        `${name}: ${key}; not tested, because this provider has no free request to test with`,
      );
    }
  }
}

type Trial<Outcome> = Extract<ProviderTrial, { outcome: Outcome }>;

/** The setting with the address that was asked. */
function addressOf({ serviceAccount, settingNames }: ProviderSettings): string {
  return serviceAccount === undefined ? settingNames.baseUrl : `token_uri in ${settingNames.apiKey}`;
}

function checkAnswer(
  settings: ProviderSettings,
  { provesKey, models }: Trial<"answered">,
  wanted: readonly string[],
): Check {
  const { name } = settings;
  const unlisted = models === null ? [] : wanted.filter((model) => !isListed(model, models));
  if (unlisted.length > 0) {
    const named = firstOf(unlisted, MAX_NAMED);
    const fix =
      "Ask the provider whether this key may use them, or correct or hide these models in bursar.yaml.";
    return warning("providers", `${name} answers, but does not list ${named}`, fix);
  }
  if (!hasCredentials(settings)) return fine("providers", `${name} answers, without a key`);
  if (provesKey) return fine("providers", `${name} accepts its key`);
  return untried(
    "providers",
    `${name} answers; the key was not tested, because this request works without one`,
  );
}

/** Lists may contain only dated or tagged names of models that are requested by a shorter one. */
function isListed(model: string, listed: ReadonlySet<string>): boolean {
  const stem = model.replace(/[-:]latest$/, "");
  return [...listed].some(
    (name) => name === model || name === stem || name.startsWith(`${stem}-`) || name.startsWith(`${stem}:`),
  );
}

function checkUnexpected(settings: ProviderSettings, { status, asked }: Trial<"unexpected">): Check {
  const { name, serviceAccount } = settings;
  if (status !== null && status >= 500) {
    const fix = "Try again later: the provider, or a proxy in front of it, is failing.";
    return warning("providers", `${name} answers ${status}`, fix);
  }
  if (status === 402) {
    return warning(
      "providers",
      `${name} requires payment (402)`,
      "Top up this key's account at the provider.",
    );
  }
  const isRight = `Is ${addressOf(settings)} right?`;
  if (status === null) {
    const expected = serviceAccount === undefined ? "a list of models" : "JSON";
    return warning("providers", `${name} did not return ${expected} at ${asked}`, isRight);
  }
  if (serviceAccount !== undefined)
    return warning("providers", `${name} answers ${status} at ${asked}`, isRight);
  const fix = `${isRight} Some self-hosted servers have no list of models; then you can ignore this.`;
  return warning("providers", `${name} answers ${status} at ${asked}`, fix);
}
