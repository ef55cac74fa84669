import { type FormEvent, useState } from "react";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Card } from "../../parts/card.tsx";
import { Code } from "../../parts/copy.tsx";
import { otherProblem, problemOf, TextField } from "../../parts/field.tsx";
import { SaveBar } from "../../parts/save-bar.tsx";
import { useSay } from "../../parts/toasts.tsx";

export function NameCard() {
  const { person } = useSigned();
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? person.name;
  const rename = useCommand("rename", ["session", "members"]);
  const say = useSay();
  const other = otherProblem(rename.error, ["name"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    const onSuccess = () => {
      say("Your name is saved.");
      // It may have been stored without invisible characters; what was typed meanwhile stays.
      setTyped((now) => (now === name ? null : now));
    };
    rename.mutate({ name }, { onSuccess });
  }
  return (
    <Card title="Name">
      <form className="form" onSubmit={submit}>
        <TextField
          label="How others see you"
          required
          maxLength={100}
          autoComplete="name"
          problem={problemOf(rename.error, "name")}
          value={name}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="field">
          <span className="label">Your id for X-Member-User-Id</span>
          <Code text={person.id} what="your id" />
        </div>
        <SaveBar
          isChanged={name.trim() !== person.name}
          isBusy={rename.isPending}
          problem={other}
          onDiscard={() => {
            setTyped(null);
            rename.reset();
          }}
        />
      </form>
    </Card>
  );
}
