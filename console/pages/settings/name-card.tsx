import type { FormEvent } from "react";
import type { SettingsView } from "../../../src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { otherProblem, problemOf, TextField } from "../../parts/field.tsx";
import { day } from "../../parts/format.ts";
import { Notice } from "../../parts/states.tsx";
import { useSay } from "../../parts/toasts.tsx";
import { Facts } from "../usage/facts.tsx";
import { useChange } from "./use-change.ts";

export function NameCard({ settings }: { settings: SettingsView }) {
  const say = useSay();
  const name = useChange(settings.name);
  const save = useCommand("update-settings", ["settings", "session"]);
  const problem = otherProblem(save.error, ["name"]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(
      { name: name.value, seenName: name.seen },
      {
        onSuccess: () => {
          name.drop();
          say("The name is saved.");
        },
        onError: name.onError,
      },
    );
  }

  return (
    <Card title="Organization">
      <form className="form" onSubmit={submit}>
        <TextField
          label="Name"
          value={name.value}
          maxLength={100}
          required
          autoComplete="off"
          problem={problemOf(save.error, "name")}
          onChange={(event) => name.choose(event.target.value)}
        />
        <Facts
          facts={[
            [
              "Short name",
              <span key="slug" className="id-cell">
                <code>{settings.slug}</code>
                <CopyButton text={settings.slug} what="short name" />
              </span>,
            ],
            ["Made", day(settings.createdAt)],
          ]}
        />
        {problem !== null && <Notice look="bad">{problem}</Notice>}
        <div className="form-actions">
          {name.isChanged && <Button onClick={name.drop}>Cancel</Button>}
          <Button look="primary" type="submit" disabled={!name.isChanged} isBusy={save.isPending}>
            Save the name
          </Button>
        </div>
      </form>
    </Card>
  );
}
