import { LoaderCircle } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode } from "react";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: "primary" | "secondary" | "quiet" | "danger";
  /** Something is under way: it cannot be pressed again until that is over. */
  readonly isBusy?: boolean;
  readonly icon?: ReactNode;
  /** Shows the icon alone; the children become its name for screen readers. */
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
      // Not disabled: a browser takes the focus from whatever is, and whoever types would have to find it again.
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {isBusy ? <LoaderCircle className="spin" aria-hidden /> : icon}
      {/* Never bare: a browser that translates replaces texts, and an icon could not be put before one that is gone. */}
      <span className={isIconOnly ? "visually-hidden" : undefined}>{children}</span>
    </button>
  );
}
