import { type DialogHTMLAttributes, useLayoutEffect, useRef } from "react";

export type ModalProps = Omit<DialogHTMLAttributes<HTMLDialogElement>, "onCancel" | "onClose"> & {
  /** Finds what has the focus at the beginning; the browser's own choice where there is none. */
  readonly focusFirst?: string;
  /** Stays open, whatever is pressed. */
  readonly isBusy?: boolean;
  onClose(): void;
};

/** The browser's own modal: it keeps the focus inside, closes on Escape and gives the focus back. */
export function Modal({ focusFirst = "", isBusy = false, onClose, ...rest }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // Closed while it still stands in the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    if (focusFirst !== "") dialog?.querySelector<HTMLElement>(focusFirst)?.focus();
    return () => dialog?.close();
  }, [focusFirst]);
  return (
    <dialog
      {...rest}
      ref={ref}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
      // The browser lets a page refuse Escape only so often, then it closes without asking.
      onClose={() => isBusy && ref.current?.showModal()}
    />
  );
}
