import { type FormEvent, useState } from "react";
import type { Commands } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { otherProblem, problemOf, TextField } from "../../parts/field.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Notice } from "../../parts/states.tsx";
import { EVENT_GROUPS, type EventType, type Kind } from "./events.ts";

const ADDRESSES: Readonly<Record<Kind, { label: string; placeholder: string; hint: string }>> = {
  webhook: {
    label: "URL",
    placeholder: "https://app.example.com/webhooks",
    hint: "Each delivery is signed with a secret that you see next.",
  },
  slack: {
    label: "URL",
    placeholder: "https://hooks.slack.com/services/…",
    hint: "An incoming webhook of Slack, or of whatever takes its messages.",
  },
  email: { label: "Email", placeholder: "ana@example.com", hint: "The address of a member." },
};

type Minted = Commands["webhook.create"]["output"];

/** Also after a rotation. */
export const SECRET_LAST_WORDS =
  "You have not copied the secret yet. It cannot be shown again; without it you would have to replace it.";

export function NewWebhook({ onClose, onMade }: { onClose(): void; onMade(made: Minted): void }) {
  const create = useCommand("webhook.create", ["webhook.list"], { showsAnswer: true });
  const [isCopied, setCopied] = useState(false);
  const secret = create.data?.secret;
  return (
    <Dialog
      title={create.data ? "The webhook is ready" : "New webhook"}
      isBusy={create.isPending}
      lastWords={secret && !isCopied ? SECRET_LAST_WORDS : null}
      onClose={onClose}
    >
      {secret ? (
        <WebhookSecret secret={secret} onCopied={() => setCopied(true)} onDone={onClose} />
      ) : (
        <NewForm create={create} onClose={onClose} onMade={onMade} />
      )}
    </Dialog>
  );
}

type SecretProps = { readonly secret: string; onCopied(): void; onDone(): void };

/** The only time that it is shown. */
export function WebhookSecret({ secret, onCopied, onDone }: SecretProps) {
  return (
    <div className="form">
      <Notice look="warn">
        Copy the secret now: it is shown only once. Verify each delivery with it, as the guide shows.
      </Notice>
      <Code text={secret} what="the secret" onCopied={onCopied} />
      <div className="form-actions">
        <Button look="primary" onClick={onDone}>
          I have copied it
        </Button>
      </div>
    </div>
  );
}

type NewFormProps = {
  readonly create: ReturnType<typeof useCommand<"webhook.create">>;
  onClose(): void;
  onMade(made: Minted): void;
};

function NewForm({ create, onClose, onMade }: NewFormProps) {
  const { service } = useSigned();
  const [kind, setKind] = useState<Kind>("webhook");
  const [address, setAddress] = useState("");
  const [types, setTypes] = useState<readonly EventType[]>([]);
  const kinds: readonly { value: Kind; label: string }[] = [
    { value: "webhook", label: "Webhook" },
    { value: "slack", label: "Slack" },
    ...(service.sendsMail ? [{ value: "email", label: "Email" } as const] : []),
  ];
  const other = otherProblem(create.error, ["address"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate({ kind, address, types }, { onSuccess: onMade });
  }
  return (
    <form className="form" onSubmit={submit}>
      {other && <Notice look="bad">{other}</Notice>}
      <Segments name="Kind" value={kind} choices={kinds} onChoose={(next) => setKind(next)} />
      <TextField
        {...ADDRESSES[kind]}
        required
        type={kind === "email" ? "email" : "url"}
        problem={problemOf(create.error, "address")}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
      />
      <EventChoice types={types} onChange={setTypes} />
      <div className="form-actions">
        <Button onClick={onClose} disabled={create.isPending}>
          Cancel
        </Button>
        <Button look="primary" type="submit" isBusy={create.isPending}>
          Create the webhook
        </Button>
      </div>
    </form>
  );
}

type EventChoiceProps = {
  readonly types: readonly EventType[];
  onChange(types: readonly EventType[]): void;
};

/** None chosen: all, also those that come later. */
function EventChoice({ types, onChange }: EventChoiceProps) {
  return (
    <fieldset className="field">
      <legend>Events</legend>
      <div className="check-list">
        {EVENT_GROUPS.map((group) => (
          <label key={group.label} className="check">
            <input
              type="checkbox"
              checked={group.types.every((type) => types.includes(type))}
              onChange={({ target }) => {
                const others = types.filter((type) => !group.types.includes(type));
                onChange(target.checked ? [...others, ...group.types] : others);
              }}
            />
            <span>{group.label}</span>
          </label>
        ))}
      </div>
      <span className="hint">{types.length === 0 ? "None chosen: it gets all of them." : null}</span>
    </fieldset>
  );
}
