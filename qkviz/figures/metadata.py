"""What a picture's file says of its source, in the words of each format."""

from __future__ import annotations

from html import escape

from qkviz.presenters.provenance import PROGRAM, Provenance, provenance_json, provenance_line

NAMESPACE = "urn:qkviz:provenance"
PNG_KEYWORD = "qkviz"
"""The PNG text that holds the provenance as JSON; Title, Software and Description are for people."""


def png_texts(title: str, provenance: Provenance) -> dict[str, str]:
    """Return the texts of a PNG by keyword."""
    texts = {"Title": title, "Software": provenance.get("program", PROGRAM)}
    if provenance:
        texts |= {"Description": provenance_line(provenance), PNG_KEYWORD: provenance_json(provenance)}
    return {keyword: text for keyword, text in texts.items() if text}


def svg_metadata(provenance: Provenance) -> bytes:
    """Return the metadata element of an SVG; empty without a provenance."""
    if not provenance:
        return b""
    text = escape(provenance_json(provenance), quote=False)
    return f'<metadata><p:provenance xmlns:p="{NAMESPACE}">{text}</p:provenance></metadata>\n'.encode()


def pdf_metadata(title: str, provenance: Provenance) -> bytes:
    """Return the XMP packet of a PDF."""
    program = escape(provenance.get("program", PROGRAM))
    described = ""
    if provenance:
        line = f'<rdf:li xml:lang="x-default">{escape(provenance_line(provenance))}</rdf:li>'
        described = f"""
   <dc:description><rdf:Alt>{line}</rdf:Alt></dc:description>
   <p:provenance xmlns:p="{NAMESPACE}">{escape(provenance_json(provenance))}</p:provenance>"""
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
   <dc:format>application/pdf</dc:format>
   <dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(title)}</rdf:li></rdf:Alt></dc:title>
   <xmp:CreatorTool>{program}</xmp:CreatorTool>{described}
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>""".encode()
