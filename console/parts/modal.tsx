import { type DialogHTMLAttributes, useLayoutEffect, useRef } from "react";
import { wayBack } from "./way-back.ts";

type ModalProps = Omit<DialogHTMLAttributes<HTMLDialogElement>, "onCancel" | "onClose"> & {
  /** Finds what has the focus at the beginning; the browser's own choice where there is none. */
  readonly focusFirst?: string;
  /** Stays open as long as it is drawn, whatever is pressed. */
  readonly isHeld?: boolean;
  /** Somebody wants it closed. */
  onClose(): void;
};

/** The browser's own modal: it keeps the focus inside, hears Escape and gives the focus back. */
export function Modal({ focusFirst = "", isHeld = false, onClose, ...rest }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // Closed while it still stands in the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    const comeBack = wayBack(document.activeElement);
    show(dialog, focusFirst);
    return () => {
      dialog?.close();
      // What opened it may go in the same moment.
      queueMicrotask(comeBack);
    };
  }, [focusFirst]);
  return (
    <dialog
      {...rest}
      ref={ref}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // The browser lets a page refuse Escape only so often, then it closes without asking.
      onClose={() => isHeld && show(ref.current, focusFirst)}
    />
  );
}

function show(dialog: HTMLDialogElement | null, focusFirst: string): void {
  dialog?.showModal();
  if (focusFirst !== "") dialog?.querySelector<HTMLElement>(focusFirst)?.focus();
}
