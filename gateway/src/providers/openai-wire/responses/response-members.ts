/** How nearly every server begins an event: with its type, some with its sequence number as well. */
const HEAD =
  /^\{(?:"type":"[a-z_.]+"(?:,"sequence_number":\d+)?|"sequence_number":\d+,"type":"[a-z_.]+")(?:,|(?=\}$))/;
/** How the others end one. A digit before the last brace shows that the number is the event's own, not nested. */
const TAIL = /,?"sequence_number":\d+\}$/;

/**
 * The JSON members of an event without `type` and `sequence_number`. They are cut out of the data if these are at its
 * ends; otherwise, and if the data has several lines, which would forge a field of the stream, they are written again.
 */
export function membersOf(data: string, event: Readonly<Record<string, unknown>>): string {
  const head = HEAD.exec(data)?.[0];
  if (head !== undefined && data.endsWith("}") && !data.includes("\n")) {
    if (head.includes('"sequence_number"')) return data.slice(head.length, -1);
    const tail = TAIL.exec(data);
    if (tail !== null) return data.slice(head.length, tail.index);
  }
  return writtenMembers(event);
}

/** The same for an event that was changed. */
export function writtenMembers({
  type: _type,
  sequence_number: _number,
  ...rest
}: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(rest).slice(1, -1);
}
