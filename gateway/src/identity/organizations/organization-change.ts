import { parseDisplayText } from "../display-text.ts";
import { EFFICIENCY_LEVELS } from "../principal.ts";
import { type Invalid, refuse } from "../refusal.ts";
import type { OrganizationChange } from "./store.ts";

export const MAX_NAME_CHARS = 100;
export const MAX_PLAN_CHARS = 50;
const MAX_MODEL_CHARS = 200;
const MAX_DISABLED_MODELS = 1_000;

export function parseChange(
  change: OrganizationChange,
): { outcome: "ok"; change: OrganizationChange } | Invalid {
  const parsed = { ...change };
  if (change.name !== undefined) {
    const name = parseDisplayText({ field: "name", text: change.name, maxChars: MAX_NAME_CHARS });
    if (name.outcome === "invalid") return name;
    parsed.name = name.text;
  }
  if (change.plan !== undefined) {
    const plan = parseDisplayText({ field: "plan", text: change.plan, maxChars: MAX_PLAN_CHARS });
    if (plan.outcome === "invalid") return plan;
    parsed.plan = plan.text;
  }
  if (change.efficiency !== undefined && !EFFICIENCY_LEVELS.some((level) => level === change.efficiency))
    return refuse("efficiency", EFFICIENCY_LEVELS.join(", "));
  if (change.disabledModels !== undefined) {
    if (change.disabledModels.length > MAX_DISABLED_MODELS)
      return refuse("disabledModels", `at most ${MAX_DISABLED_MODELS} model ids`);
    for (const text of change.disabledModels) {
      const model = parseDisplayText({ field: "disabledModels", text, maxChars: MAX_MODEL_CHARS });
      if (model.outcome === "invalid") return model;
    }
    parsed.disabledModels = [...new Set(change.disabledModels)].sort();
  }
  return { outcome: "ok", change: parsed };
}
