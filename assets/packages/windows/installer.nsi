; The installer for Windows, made by makensis: -DVERSION=, -DFROM= the folder with blossom.exe, -DOUT= the installer.
; It installs for the user who runs it, and asks for no rights.
Target amd64-unicode ; as the program is; it also runs where there is no 32-bit Windows
Unicode true
!include "MUI2.nsh"

Name "blossom"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\blossom"
InstallDirRegKey HKCU "Software\blossom" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma
SetDateSave off
BrandingText " "
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "blossom"
VIAddVersionKey "FileDescription" "Installs blossom"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache-2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\blossom"
!define CLASSES "Software\Classes"
!insertmacro MUI_PAGE_LICENSE "${FROM}/LICENSE.txt"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Section "blossom" main
  SectionIn RO
  SetOutPath "$INSTDIR"
  File "${FROM}/blossom.exe"
  File "${FROM}/LICENSE.txt"
  File "${FROM}/NOTICES.txt"
  File /nonfatal "${FROM}/MINGW.txt"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\blossom.lnk" "$INSTDIR\blossom.exe"
  WriteRegStr HKCU "Software\blossom" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "blossom"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\blossom.exe"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  WriteRegStr HKCU "${CLASSES}\blossom.session" "" "blossom session"
  WriteRegStr HKCU "${CLASSES}\blossom.session\DefaultIcon" "" "$INSTDIR\blossom.exe,0"
  WriteRegStr HKCU "${CLASSES}\blossom.session\shell\open\command" "" '"$INSTDIR\blossom.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\Applications\blossom.exe\shell\open\command" "" '"$INSTDIR\blossom.exe" "%1"'
SectionEnd

Section "Open .blossom files with blossom" sessions
  WriteRegStr HKCU "${CLASSES}\.blossom" "" "blossom.session"
SectionEnd

Section /o "Offer blossom for .fcs files" fcs
  WriteRegStr HKCU "${CLASSES}\.fcs\OpenWithList\blossom.exe" "" ""
SectionEnd

Section "Uninstall"
  Delete "$INSTDIR\blossom.exe"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\NOTICES.txt"
  Delete "$INSTDIR\MINGW.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\blossom.lnk"
  ReadRegStr $0 HKCU "${CLASSES}\.blossom" ""
  StrCmp $0 "blossom.session" 0 +2
  DeleteRegKey HKCU "${CLASSES}\.blossom"
  DeleteRegKey HKCU "${CLASSES}\.fcs\OpenWithList\blossom.exe"
  DeleteRegKey HKCU "${CLASSES}\blossom.session"
  DeleteRegKey HKCU "${CLASSES}\Applications\blossom.exe"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\blossom"
SectionEnd
