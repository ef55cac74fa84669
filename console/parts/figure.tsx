import { balanceFigure, figure, number } from "./format.ts";

/** A number that is shortened if large; in full on hover. */
export function Figure({ value, isBalance = false }: { value: number; isBalance?: boolean }) {
  const shown = isBalance ? balanceFigure(value) : figure(value);
  const whole = number(value);
  return <span title={shown === whole ? undefined : whole}>{shown}</span>;
}

/** The full amount below a shortened balance: on touch screens and on paper there is no hover. */
export function WholeBalance({ value }: { value: number }) {
  const whole = number(value);
  return balanceFigure(value) === whole ? null : <small className="whole-balance">{whole}</small>;
}
