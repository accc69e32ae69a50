#!/usr/bin/env python3
"""Packs the extension, as `vsce package` does.

    package.py FILE.vsix
"""
import json
import os
import sys
import zipfile
from xml.sax.saxutils import quoteattr

FOLDER = os.path.dirname(os.path.realpath(__file__))
FILES = ["package.json", "README.md", "extension.js", "server.js", "language-configuration.json", "syntaxes/pm.tmLanguage.json"]
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
    <DisplayName>{display}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def main():
    with open(os.path.join(FOLDER, "package.json"), encoding="utf-8") as file:
        package = json.load(file)
    manifest = MANIFEST.format(
        name=quoteattr(package["name"]), version=quoteattr(package["version"]), publisher=quoteattr(package["publisher"]),
        display=package["displayName"], description=package["description"], categories=",".join(package["categories"]),
        engine=quoteattr(package["engines"]["vscode"]))
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("extension.vsixmanifest", manifest)
        for name in FILES:
            archive.write(os.path.join(FOLDER, name), "extension/" + name)


main()
