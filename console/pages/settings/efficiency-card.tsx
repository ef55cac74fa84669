import type { FormEvent } from "react";
import type { EfficiencyLevel, SettingsView } from "../../../src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Notice } from "../../parts/states.tsx";
import { useSay } from "../../parts/toasts.tsx";
import { useChange } from "./use-change.ts";

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
      "Takes out what carries no meaning: padding before line numbers, colour codes and progress bars of terminals, spaces between JSON values. Nothing a model could read differently.",
  },
  {
    value: "structural",
    name: "Structural",
    about:
      "Also says repeated text once: a block that stood in an earlier message becomes a reference to it, and uniform JSON lists become tables. Saves most in long conversations of agents.",
  },
];

/** What calls get that do not choose for themselves. */
export function EfficiencyCard({ settings }: { settings: SettingsView }) {
  const say = useSay();
  const level = useChange(settings.efficiency);
  const save = useCommand("update-settings", ["settings"]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(
      { efficiency: level.value, seenEfficiency: level.seen },
      {
        onSuccess: () => {
          level.drop();
          say("Efficiency is saved. New calls follow it.");
        },
        onError: level.onError,
      },
    );
  }

  return (
    <Card title="Efficiency">
      <form className="form" onSubmit={submit}>
        <p className="dim">
          How prompts are made shorter before a model reads them, so that they cost less. What you and the
          system wrote is never changed, and a call can choose for itself with the header{" "}
          <code>X-Efficiency</code>.
        </p>
        <fieldset className="field">
          <legend>Unless a call says otherwise</legend>
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
        {save.error && <Notice look="bad">{save.error.message}</Notice>}
        <div className="form-actions">
          {level.isChanged && <Button onClick={level.drop}>Cancel</Button>}
          <Button look="primary" type="submit" disabled={!level.isChanged} isBusy={save.isPending}>
            Save efficiency
          </Button>
        </div>
      </form>
    </Card>
  );
}
