export const repeatText = (text: string, count = Math.floor(100_000 / text.length)) => text.repeat(count);
