import { useState } from "react";
import type { MintedKeyView, Scope } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/copy.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Notice } from "../../parts/states.tsx";
import { firstCall } from "./first-call.ts";
import { snippetsFor } from "./snippets.ts";

type SecretShownProps = {
  readonly minted: MintedKeyView;
  readonly scopes: readonly Scope[];
  /** About the previous secret, after a rotation. */
  readonly note?: string;
  onCopied(): void;
  onDone(): void;
};

/** Shown before a dialog closes whose secret was not copied. */
export const SECRET_LAST_WORDS =
  "You have not copied the key yet. It cannot be shown again; without it you would have to replace the secret.";

/** The only time that a secret is shown, with a first call beside it. */
export function SecretShown({ minted, scopes, note, onCopied, onDone }: SecretShownProps) {
  const { service } = useSigned();
  const models = useAsk("model.list", {});
  const [shown, setShown] = useState("curl");
  const { publicUrl, aliasPrefix } = service;
  const call = firstCall({ scopes, models: models.data?.models, aliasPrefix });
  const snippets = call ? snippetsFor({ publicUrl, secret: minted.key, call }) : [];
  const snippet = snippets.find(({ id }) => id === shown) ?? snippets[0];
  return (
    <div className="form">
      <Notice look="warn">Copy the key now: it is shown only once. {note}</Notice>
      <Code text={minted.key} what="the key" onCopied={onCopied} />
      {snippet && (
        <div className="stack">
          <div className="spread">
            <h3>Make the first call</h3>
            <Segments
              name="Language"
              value={snippet.id}
              choices={snippets.map(({ id, label }) => ({ value: id, label }))}
              onChoose={setShown}
            />
          </div>
          <Code text={snippet.text} what="the example" onCopied={onCopied} />
        </div>
      )}
      <div className="form-actions">
        <Button look="primary" onClick={onDone}>
          I have copied it
        </Button>
      </div>
    </div>
  );
}
