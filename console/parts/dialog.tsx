import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { Modal } from "./modal.tsx";

export type DialogProps = {
  readonly title: string;
  readonly isWide?: boolean;
  /** What comes back will be shown here and nowhere else, so it cannot be closed before. */
  readonly isBusy?: boolean;
  onClose(): void;
  readonly children: ReactNode;
};

export function Dialog({ title, isWide = false, isBusy = false, onClose, children }: DialogProps) {
  const id = useId();
  return (
    <Modal
      className={isWide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      // The browser would begin at the close button; whoever opens a form wants to type.
      focusFirst=".dialog-body :is(input, select, textarea)"
      isBusy={isBusy}
      onClose={onClose}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button look="quiet" isIconOnly icon={<X aria-hidden />} disabled={isBusy} onClick={onClose}>
          Close
        </Button>
      </div>
      <div className="dialog-body">{children}</div>
    </Modal>
  );
}

export type ConfirmProps = {
  readonly title: string;
  readonly action: string;
  readonly isBusy: boolean;
  readonly problem?: string | null;
  onConfirm(): void;
  onClose(): void;
  readonly children: ReactNode;
};

/** For what cannot be undone. */
export function Confirm({ title, action, isBusy, problem, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="form">
        <div>{children}</div>
        {problem && (
          <p role="alert" className="notice bad">
            {problem}
          </p>
        )}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" onClick={onConfirm} isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
