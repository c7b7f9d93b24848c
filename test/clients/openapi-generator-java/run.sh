set -e
bash "$CLIENTS/generate.sh" java --additional-properties useSingleRequestParameter=true
mvn --quiet --batch-mode --file api/pom.xml -DskipTests compile dependency:build-classpath -Dmdep.outputFile=classpath
java --class-path "api/target/classes:$(cat api/classpath)" Program.java
