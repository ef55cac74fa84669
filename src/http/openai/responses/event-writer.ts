/** Numbers the events of one stream and writes each in one piece. */
export type EventWriter = {
  /** `members` is the inside of the event's JSON object, without its type and its number. */
  write(type: string, members: string): void;
  /** What was written since the last time. */
  take(): readonly string[];
};

export function createEventWriter(): EventWriter {
  let written: string[] = [];
  let sequence = 0;
  return {
    write(type, members) {
      written.push(`event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence},${members}}\n\n`);
      sequence += 1;
    },
    take() {
      const events = written;
      written = [];
      return events;
    },
  };
}
