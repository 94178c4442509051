// Another's client of Przelewy24, doing what it is told: node … <address> <account> <what> <with>
import { createRequire } from "node:module"

const { P24 } = createRequire(`${process.cwd()}/`)("@ingameltd/node-przelewy24")
const [url, account, what, given] = process.argv.slice(2)
const { merchant, key, crc } = JSON.parse(account)
const client = new P24(merchant, merchant, key, crc, { sandbox: true })
client.client.defaults.baseURL = `${url}/api/v1`
const said = await Promise.resolve(client[what](JSON.parse(given))).catch(String)
process.stdout.write(JSON.stringify(said))
