const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });

export function number(value: number): string {
  return NUMBER.format(value);
}

export function credits(value: number): string {
  return `${number(value)} ${value === 1 ? "credit" : "credits"}`;
}
