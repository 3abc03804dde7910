// The CRC-32 of zlib, gzip and PNG.

const POLYNOMIAL = 0xedb88320

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let register = byte
  for (let bit = 0; bit < 8; bit++) register = (register >>> 1) ^ ((register & 1) * POLYNOMIAL)
  return register
})

/** The checksum as eight hexadecimal digits. */
export function checksum (bytes: Buffer): string {
  let register = 0xffffffff
  for (const byte of bytes) register = (register >>> 8) ^ TABLE[(register ^ byte) & 0xff]
  return ((register ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0')
}
