/**
 * The body of an answer, decompressed.
 * @throws RangeError when it is longer; the rest of it is not waited for.
 */
export async function readBounded(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    // Leaving the loop by an error cancels the rest and closes the connection.
    if (length > maxBytes) throw new RangeError(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
