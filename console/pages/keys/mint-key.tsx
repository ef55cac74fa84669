import { type FormEvent, useState } from "react";
import type { Scope } from "../../../gateway/src/http/console/contract.ts";
import { UNREACHABLE } from "../../api/ask.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { otherProblem, problemOf, SelectField, TextField } from "../../parts/field.tsx";
import { Folded } from "../../parts/folded.tsx";
import { Notice } from "../../parts/states.tsx";
import { ALL_SCOPES, SCOPES } from "./scopes.ts";
import { SECRET_LAST_WORDS, SecretShown } from "./secret-shown.tsx";

const EXPIRIES = [
  { days: "", label: "Never" },
  { days: "7", label: "In 7 days" },
  { days: "30", label: "In 30 days" },
  { days: "90", label: "In 90 days" },
  { days: "365", label: "In a year" },
];
const FIELDS = ["name", "scopes", "expiresIn", "requestsPerMinute", "inFlight"];

export function MintKey({ onClose }: { onClose(): void }) {
  const mint = useCommand("key.create", ["key.list"], { showsAnswer: true });
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog
      title={mint.data ? `“${mint.data.name}” is ready` : "New key"}
      isWide={!!mint.data}
      isBusy={mint.isPending}
      lastWords={mint.data && !isCopied ? SECRET_LAST_WORDS : null}
      onClose={onClose}
    >
      {mint.data ? (
        <SecretShown
          minted={mint.data}
          scopes={mint.data.scopes}
          onCopied={() => setCopied(true)}
          onDone={onClose}
        />
      ) : (
        <MintForm mint={mint} onClose={onClose} />
      )}
    </Dialog>
  );
}

type MintFormProps = { readonly mint: ReturnType<typeof useCommand<"key.create">>; onClose(): void };

function MintForm({ mint, onClose }: MintFormProps) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(ALL_SCOPES);
  const [days, setDays] = useState("");
  const [perMinute, setPerMinute] = useState("");
  const [inFlight, setInFlight] = useState("");
  const other = otherProblem(mint.error, FIELDS);
  function submit(event: FormEvent) {
    event.preventDefault();
    mint.mutate({
      name,
      scopes,
      expiresIn: days === "" ? undefined : `${days}d`,
      requestsPerMinute: numberOf(perMinute),
      inFlight: numberOf(inFlight),
    });
  }
  return (
    <form className="form" onSubmit={submit}>
      {other && <Notice look="bad">{other}</Notice>}
      {mint.error?.problem === UNREACHABLE && <MayBeThere name={name} />}
      <TextField
        label="Name"
        required
        maxLength={100}
        placeholder="Website, nightly job, Ana's laptop"
        hint="So you can tell later which program uses it."
        problem={problemOf(mint.error, "name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <ScopeChoice scopes={scopes} onChange={setScopes} problem={problemOf(mint.error, "scopes")} />
      <SelectField
        label="Expires"
        problem={problemOf(mint.error, "expiresIn")}
        value={days}
        onChange={(event) => setDays(event.target.value)}
      >
        {EXPIRIES.map((choice) => (
          <option key={choice.days} value={choice.days}>
            {choice.label}
          </option>
        ))}
      </SelectField>
      <Folded title="Limits for this key">
        <div className="grid-2 fields">
          <TextField
            label="Calls per minute"
            type="number"
            min={1}
            max={1_000_000}
            placeholder="Plan limit"
            problem={problemOf(mint.error, "requestsPerMinute")}
            value={perMinute}
            onChange={(event) => setPerMinute(event.target.value)}
          />
          <TextField
            label="Calls at once"
            type="number"
            min={1}
            max={1_000_000}
            placeholder="Plan limit"
            problem={problemOf(mint.error, "inFlight")}
            value={inFlight}
            onChange={(event) => setInFlight(event.target.value)}
          />
        </div>
      </Folded>
      <div className="form-actions">
        <Button onClick={onClose} disabled={mint.isPending}>
          Cancel
        </Button>
        <Button look="primary" type="submit" isBusy={mint.isPending} disabled={scopes.length === 0}>
          Create the key
        </Button>
      </div>
    </form>
  );
}

/** For a request that got no answer. */
function MayBeThere({ name }: { name: string }) {
  return (
    <Notice look="warn">
      The key may have been created anyway. Look for “{name}” in the list before you try again, and revoke it
      if it is there: its secret can no longer be shown.
    </Notice>
  );
}

type ScopeChoiceProps = {
  readonly scopes: readonly Scope[];
  readonly problem: string | undefined;
  onChange(scopes: readonly Scope[]): void;
};

function ScopeChoice({ scopes, problem, onChange }: ScopeChoiceProps) {
  return (
    <fieldset className="field">
      <legend>May be used for</legend>
      <div className="check-list">
        {SCOPES.map(({ scope, label, about }) => (
          <label key={scope} className="check">
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) =>
                onChange(
                  ALL_SCOPES.filter((one) => (one === scope ? event.target.checked : scopes.includes(one))),
                )
              }
            />
            <span>
              {label} <span className="dim small">{about}</span>
            </span>
          </label>
        ))}
      </div>
      {(problem || scopes.length === 0) && (
        <span className="problem" role="alert">
          {problem ?? "Choose at least one."}
        </span>
      )}
    </fieldset>
  );
}

function numberOf(text: string): number | undefined {
  return text === "" ? undefined : Number(text);
}
