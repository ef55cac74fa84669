/** Numbers the events of one stream and writes each in one piece. */
export type EventWriter = {
  /** `members` are the members of the event's JSON object, without `type` and `sequence_number`. */
  write(type: string, members: string): void;
  /** Returns the events written since the last call. */
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
