const ID_LENGTH = 8;

/** Digits and small letters, by which a person names a call. An id protects nothing. */
export function createId(): string {
  let id = "";
  while (id.length < ID_LENGTH) id += Math.random().toString(36).slice(2, 8);
  return id.slice(0, ID_LENGTH);
}
