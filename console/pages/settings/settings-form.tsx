import { type FormEvent, useState } from "react";
import type { EfficiencyLevel, SettingsView } from "../../../gateway/src/http/console/contract.ts";
import type { AskError } from "../../api/ask.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Card } from "../../parts/card.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { otherProblem, problemOf, TextField } from "../../parts/field.tsx";
import { day } from "../../parts/format.ts";
import { SaveBar } from "../../parts/save-bar.tsx";
import { useSay } from "../../toasts.tsx";
import { Facts } from "../usage/facts.tsx";

type Change<Value> = { readonly wanted: Value; readonly seen: Value | null };

type Changing<Value> = {
  /** The changed value, or the current one. */
  readonly value: Value;
  readonly isChanged: boolean;
  /** The value when the change began: the gateway compares with it. */
  readonly seen: Value;
  choose(value: Value): void;
  drop(): void;
  /** After a conflict the newer value is shown, so saving again overwrites it deliberately. */
  onError(error: AskError): void;
};

/** The page refetches while a user changes something; the change refers to the value that they saw. */
function useChange<Value>(current: Value): Changing<Value> {
  const [change, setChange] = useState<Change<Value> | null>(null);
  return {
    value: change ? change.wanted : current,
    isChanged: change !== null && change.wanted !== current,
    seen: change?.seen ?? current,
    choose: (wanted) => setChange({ wanted, seen: change ? change.seen : current }),
    drop: () => setChange(null),
    onError({ problem }) {
      if (problem.code === "conflict") setChange((before) => before && { ...before, seen: null });
    },
  };
}

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
function EfficiencyCard({ level }: { level: Changing<EfficiencyLevel> }) {
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

type NameCardProps = {
  readonly settings: SettingsView;
  readonly name: Changing<string>;
  readonly problem: string | undefined;
};

function NameCard({ settings, name, problem }: NameCardProps) {
  return (
    <Card title="Organization">
      <div className="form">
        <TextField
          label="Name"
          value={name.value}
          maxLength={100}
          required
          autoComplete="off"
          problem={problem}
          onChange={(event) => name.choose(event.target.value)}
        />
        <Facts
          facts={[
            [
              "Short name",
              <span key="slug" className="id-cell">
                <code translate="no">{settings.slug}</code>
                <CopyButton text={settings.slug} what="short name" />
              </span>,
            ],
            ["Created", day(settings.createdAt)],
          ]}
        />
      </div>
    </Card>
  );
}

/** All changes are saved together. */
export function SettingsForm({ settings }: { settings: SettingsView }) {
  const say = useSay();
  const name = useChange(settings.name);
  const level = useChange(settings.efficiency);
  const save = useCommand("organization.update", ["organization.get", "session"]);

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
