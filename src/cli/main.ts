export async function main(argv: readonly string[]): Promise<number> {
  console.log("help", argv);
  return 0;
}
