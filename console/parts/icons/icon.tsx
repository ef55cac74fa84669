import { createElement } from "react";
import shapes from "./shapes.json";

export type IconName = keyof typeof shapes;

/** One of Lucide's. It stands beside words that say the same, so nobody needs to hear of it. */
export function Icon({ name, className }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      aria-hidden
    >
      {...shapes[name].map(([tag, attributes]) => createElement(tag as string, attributes as object))}
    </svg>
  );
}
