import { balanceFigure, figure, number } from "./format.ts";

/** A number that may be of any size, in a place that may not; whole for who points at it. */
export function Figure({ value, isBalance = false }: { value: number; isBalance?: boolean }) {
  const shown = isBalance ? balanceFigure(value) : figure(value);
  const whole = number(value);
  return <span title={shown === whole ? undefined : whole}>{shown}</span>;
}

/** Beneath a balance that was shortened: who touches a screen, or has it on paper, cannot point. */
export function WholeBalance({ value }: { value: number }) {
  const whole = number(value);
  return balanceFigure(value) === whole ? null : <small className="whole-balance">{whole}</small>;
}
