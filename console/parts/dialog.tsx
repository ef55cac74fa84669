import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { Button } from "./button.tsx";

export type DialogProps = {
  readonly title: string;
  readonly isWide?: boolean;
  onClose(): void;
  readonly children: ReactNode;
};

/** The browser's own modal: it keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog({ title, isWide = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed while it still stands in the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // The browser would begin at the close button; whoever opens a form wants to type.
    dialog?.querySelector<HTMLElement>(".dialog-body :is(input, select, textarea)")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={isWide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button look="quiet" isIconOnly icon={<X aria-hidden />} onClick={onClose}>
          Close
        </Button>
      </div>
      <div className="dialog-body">{children}</div>
    </dialog>
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
