import type { FormEvent } from "react";
import type { SettingsView } from "../../../gateway/src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { otherProblem, problemOf } from "../../parts/field.tsx";
import { SaveBar } from "../../parts/save-bar.tsx";
import { useSay } from "../../parts/toasts.tsx";
import { EfficiencyCard } from "./efficiency-card.tsx";
import { NameCard } from "./name-card.tsx";
import { useChange } from "./use-change.ts";

/** All changes are saved together. */
export function SettingsForm({ settings }: { settings: SettingsView }) {
  const say = useSay();
  const name = useChange(settings.name);
  const level = useChange(settings.efficiency);
  const save = useCommand("update-settings", ["settings", "session"]);

  function drop(): void {
    name.drop();
    level.drop();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!name.isChanged && !level.isChanged) return;
    save.mutate(
      {
        ...(name.isChanged ? { name: name.value, seenName: name.seen } : {}),
        ...(level.isChanged ? { efficiency: level.value, seenEfficiency: level.seen } : {}),
      },
      {
        onSuccess: () => {
          drop();
          say(level.isChanged ? "Saved. It applies to new calls." : "Saved.");
        },
        onError(error) {
          name.onError(error);
          level.onError(error);
        },
      },
    );
  }

  return (
    <form className="stack settings-form" onSubmit={submit}>
      <NameCard settings={settings} name={name} problem={problemOf(save.error, "name")} />
      <EfficiencyCard level={level} />
      <SaveBar
        isChanged={name.isChanged || level.isChanged}
        isBusy={save.isPending}
        problem={otherProblem(save.error, ["name"])}
        onDiscard={() => {
          drop();
          save.reset();
        }}
      />
    </form>
  );
}
