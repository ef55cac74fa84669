import type { EfficiencyLevel } from "../../../gateway/src/http/console/contract.ts";
import { Card } from "../../parts/card.tsx";
import type { Changing } from "./use-change.ts";

const LEVELS: readonly { value: EfficiencyLevel; name: string; about: string }[] = [
  {
    value: "off",
    name: "Off",
    about: "Every message goes to the model exactly as it came.",
  },
  {
    value: "safe",
    name: "Safe",
    about:
      "Removes what carries no meaning: padding before line numbers, terminal colour codes and progress bars, whitespace between JSON values. Nothing a model would read differently.",
  },
  {
    value: "structural",
    name: "Structural",
    about:
      "Also removes repetition: a block that already appeared in an earlier message becomes a reference to it, and uniform JSON lists become tables. Saves most in long agent conversations.",
  },
];

/** The default for calls that choose no level. */
export function EfficiencyCard({ level }: { level: Changing<EfficiencyLevel> }) {
  return (
    <Card title="Efficiency">
      <div className="form">
        <p className="dim">
          How prompts are shortened before a model reads them, so that they cost less. Your own messages and
          the system prompt are never changed, and a call can choose its own level with the header{" "}
          <code translate="no">X-Efficiency</code>.
        </p>
        <fieldset className="field">
          <legend>Default level</legend>
          <div className="levels">
            {LEVELS.map(({ value, name, about }) => (
              <label key={value} className="level">
                <input
                  type="radio"
                  name="efficiency"
                  checked={level.value === value}
                  onChange={() => level.choose(value)}
                />
                <strong>{name}</strong>
                <span>{about}</span>
              </label>
            ))}
          </div>
        </fieldset>
      </div>
    </Card>
  );
}
