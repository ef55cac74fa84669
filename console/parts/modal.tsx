import { type DialogHTMLAttributes, useLayoutEffect, useRef } from "react";
import { wayBack } from "./way-back.ts";

type ModalProps = Omit<DialogHTMLAttributes<HTMLDialogElement>, "onCancel" | "onClose"> & {
  /** Selector of what to focus first; the browser's choice if empty. */
  readonly focusFirst?: string;
  /** Stays open as long as it is rendered, whatever is pressed. */
  readonly isHeld?: boolean;
  /** The user wants to close it. */
  onClose(): void;
};

/** The browser's native modal: it traps the focus, handles Escape and restores the focus. */
export function Modal({ focusFirst = "", isHeld = false, onClose, ...rest }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // Closed while still in the document: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    const comeBack = wayBack(document.activeElement);
    show(dialog, focusFirst);
    return () => {
      dialog?.close();
      // The element that opened it may be removed at the same moment.
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
      // Browsers let a page cancel Escape only so often, and then close the dialog anyway.
      onClose={() => isHeld && show(ref.current, focusFirst)}
    />
  );
}

function show(dialog: HTMLDialogElement | null, focusFirst: string): void {
  dialog?.showModal();
  if (focusFirst !== "") dialog?.querySelector<HTMLElement>(focusFirst)?.focus();
}
