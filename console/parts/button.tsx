import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Icon } from "./icons/icon.tsx";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: "primary" | "secondary" | "quiet" | "danger";
  /** True while its action runs: it cannot be pressed again until then. */
  readonly isBusy?: boolean;
  readonly icon?: ReactNode;
  /** Shows only the icon; the children become its accessible name. */
  readonly isIconOnly?: boolean;
};

export function Button({
  look = "secondary",
  isBusy = false,
  isIconOnly = false,
  icon,
  children,
  disabled,
  type = "button",
  className = "",
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={`button ${look} ${isIconOnly ? "icon-only" : ""} ${className}`}
      disabled={disabled}
      // Not disabled: browsers take the focus from disabled elements, and keyboard users would have to find it again.
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {isBusy ? <Icon name="loader-circle" className="spin" /> : icon}
      {/* Never a bare text node: translation in the browser replaces those, and React could not insert an icon before
          one that is gone. */}
      <span className={isIconOnly ? "visually-hidden" : undefined}>{children}</span>
    </button>
  );
}
