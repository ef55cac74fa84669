import { type FormEvent, useState } from "react";
import type { SettingsView } from "../../../gateway/src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { otherProblem, problemOf, TextField } from "../../parts/field.tsx";
import { Notice } from "../../parts/states.tsx";
import { useSay } from "../../toasts.tsx";

export function DeactivateCard({ settings }: { settings: SettingsView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Deactivate">
      <div className="spread">
        <p className="dim deactivate-words">
          Every call will be refused; calls in progress finish and are charged. A paid plan ends with the
          month that was paid for. Credits, usage and the library stay as they are. Only the operator of this
          Bursar can reactivate it.
        </p>
        <Button look="danger" onClick={() => setOpen(true)}>
          Deactivate {settings.name.length > 24 ? "the organization" : settings.name}
        </Button>
      </div>
      {isOpen && <DeactivateDialog settings={settings} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function DeactivateDialog({
  settings: { name, slug },
  onClose,
}: {
  settings: SettingsView;
  onClose(): void;
}) {
  const say = useSay();
  const [confirm, setConfirm] = useState("");
  const deactivate = useCommand("organization.deactivate", ["organization.get", "session"]);
  const problem = otherProblem(deactivate.error, ["confirm"]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    deactivate.mutate(
      { confirm },
      {
        onSuccess: () => {
          say(`${name} is inactive.`);
          onClose();
        },
      },
    );
  }

  return (
    <Dialog title={`Deactivate ${name}?`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>
          Programs and people in this organization get no more answers. No further month of its plan is
          charged; the current one is not refunded. You cannot undo this yourself.
        </p>
        <TextField
          label={`Type ${slug} to confirm`}
          value={confirm}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          problem={problemOf(deactivate.error, "confirm")}
          onChange={(event) => setConfirm(event.target.value)}
        />
        {problem !== null && <Notice look="bad">{problem}</Notice>}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" type="submit" disabled={confirm !== slug} isBusy={deactivate.isPending}>
            Deactivate
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
